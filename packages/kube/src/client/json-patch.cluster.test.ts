import { builtinKinds } from "@butler/resource";
import { Conflict, InvalidInput } from "@butler/std";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AlreadyExists } from "./api-errors.ts";

const kind = builtinKinds.ConfigMap;
const key = { name: "json-patch", namespace: "default" };
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster();
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: { a: "1" } };
  await cluster.client.create(kind, object);
});
afterAll(async () => {
  await cluster?.client.delete(kind, key);
  await cluster?.stop();
});

const send = (...patch: readonly object[]) => cluster.client.patch(kind, key, { type: "json", patch, dryRun: true });

describe("a JSON patch", () => {
  it.each<[string, object[]]>([
    ["a field has another value", [{ op: "test", path: "/data/a", value: "2" }]],
    ["a field exists that should not", [{ op: "test", path: "/data/a", value: null }]],
    ["a field is gone", [{ op: "test", path: "/data/b", value: "1" }]],
    ["a parent is gone", [{ op: "test", path: "/metadata/annotations/b", value: "1" }]],
    ["a field to remove is gone", [{ op: "remove", path: "/data/b" }]],
  ])("conflicts if %s", async (_what, patch) => {
    const error: unknown = await send(...patch, { op: "add", path: "/data/c", value: "1" }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Conflict);
    expect(error).not.toBeInstanceOf(AlreadyExists);
    expect(error).toMatchObject({ message: expect.stringContaining("nothing was written") as string });
  });

  it("applies if the tested fields are as expected, also if absent", async () => {
    const tests = [
      { op: "test", path: "/data/a", value: "1" },
      { op: "test", path: "/data/c", value: null },
    ];
    expect(await send(...tests, { op: "add", path: "/data/c", value: "1" })).toMatchObject({
      data: { a: "1", c: "1" },
    });
  });

  it.each<[string, object]>([
    ["type", { op: "add", path: "/data/b", value: { nested: "1" } }],
    ["key", { op: "add", path: "/data/b *", value: "1" }],
  ])("is invalid with a wrong %s", async (_what, operation) => {
    await expect(send(operation)).rejects.toBeInstanceOf(InvalidInput);
  });
});
