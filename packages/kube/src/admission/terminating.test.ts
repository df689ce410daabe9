import { builtinKinds, type DynamicObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { type AdmissionHandler, type AdmissionOperation, judgeAdmission } from "./admission-review.ts";

const kind = builtinKinds.Secret;
const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["example.com/hold"] };

function anObject(spec: object, metadata: object = leaving): DynamicObject {
  return { apiVersion: "v1", kind: kind.kind, metadata: { name: "shop", ...metadata }, spec };
}

interface Sent {
  readonly object: DynamicObject | undefined;
  readonly oldObject: DynamicObject | undefined;
  readonly handler?: Partial<AdmissionHandler>;
  readonly operation?: AdmissionOperation;
}

async function refusalOf({ object, oldObject, handler = {}, operation = "UPDATE" }: Sent): Promise<string> {
  const request = {
    uid: "1",
    kind,
    subResource: undefined,
    name: "shop",
    namespace: "payments",
    operation,
    userInfo: { username: "ada@example.com", uid: "", groups: [] },
    object,
    oldObject,
    dryRun: false,
  };
  const response = await judgeAdmission({ path: "/check", kind, ...handler }, request, AbortSignal.timeout(1_000));
  return response.status?.message ?? (response.patch === undefined ? "" : "a patch");
}

const frozen = "spec: cannot be changed: the object is being deleted";

describe("an object that is being deleted", () => {
  it.each<[string, DynamicObject, DynamicObject, string]>([
    ["a change of its spec", anObject({ a: 1 }), anObject({ a: 2 }), frozen],
    ["a new field in its spec", anObject({}), anObject({ a: 2 }), frozen],
    ["the removal of its spec", anObject({ a: 1 }), { ...anObject({}), spec: undefined }, frozen],
    [
      "another part of the object",
      anObject({}),
      { ...anObject({}), data: { a: "b" } },
      "data: cannot be changed: the object is being deleted",
    ],
    [
      "a changed spec together with the last finalizer",
      anObject({}),
      anObject({ a: 2 }, { ...leaving, finalizers: [] }),
      frozen,
    ],
    ["a changed spec and a removed deletionTimestamp", anObject({}), anObject({ a: 2 }, {}), frozen],
  ])("refuses %s", async (_what, oldObject, object, message) => {
    expect(await refusalOf({ object, oldObject })).toContain(message);
  });

  it.each<[string, DynamicObject]>([
    ["nothing", anObject({ a: 1 })],
    ["a finalizer", anObject({ a: 1 }, { ...leaving, finalizers: [] })],
    ["labels and annotations", anObject({ a: 1 }, { ...leaving, labels: { a: "b" }, annotations: { c: "d" } })],
    ["its status", { ...anObject({ a: 1 }), status: { phase: "Deleting" } }],
  ])("accepts a change of %s", async (_what, object) => {
    expect(await refusalOf({ object, oldObject: anObject({ a: 1 }) })).toBe("");
  });

  it("is refused for a deletion that only the request claims", async () => {
    expect(await refusalOf({ object: anObject({ a: 2 }), oldObject: anObject({ a: 1 }, {}) })).toContain(frozen);
  });

  it("still has its metadata judged by the rules of its kind", async () => {
    const handler = { validate: () => [{ path: "metadata.labels", message: "no" }] };
    const object = anObject({}, { ...leaving, labels: { a: "b" } });
    expect(await refusalOf({ object, oldObject: anObject({}), handler })).toBe("metadata.labels: no");
  });

  it("is not mutated, so that no default changes its spec", async () => {
    const handler = {
      mutate: ({ object }: { object?: object | undefined }) => ({ ...object, spec: { a: "default" } }),
    };
    expect(await refusalOf({ object: anObject({}), oldObject: anObject({}), handler })).toBe("");
  });
});

it("an object that is created with a deletionTimestamp gets its defaults and its rules", async () => {
  const handler = { mutate: ({ object }: { object?: object | undefined }) => ({ ...object, spec: { a: "default" } }) };
  const sent = { object: anObject({}), oldObject: undefined, operation: "CREATE" as const };
  expect(await refusalOf({ ...sent, handler })).toBe("a patch");
  expect(await refusalOf({ ...sent, handler: { validate: () => [{ path: "spec", message: "no" }] } })).toBe("spec: no");
});
