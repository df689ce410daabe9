import { gzipSync } from "node:zlib";
import { describeError, InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRelease } from "./decode-release.ts";
import { deployedRevision, isPending, newestRevision, type Release, type ReleaseStatus } from "../release.ts";

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString("base64");
/** Packs as Helm and the API do. */
const packed = (value: unknown): string => base64(base64(gzipSync(JSON.stringify(value))));

const stored = {
  name: "web",
  namespace: "shop",
  version: 3,
  info: {
    status: "deployed",
    description: "Upgrade complete",
    first_deployed: "2026-03-01T11:00:00Z",
    last_deployed: "2026-03-01T12:00:00Z",
  },
  chart: { metadata: { name: "web", version: "1.2.3", appVersion: "9.9", kubeVersion: ">=1.30" } },
  config: { replicas: 2 },
  manifest: "---\nkind: ConfigMap\n",
};

describe("a stored release", () => {
  it("is read", async () => {
    expect(await decodeRelease(packed(stored))).toEqual({
      name: "web",
      namespace: "shop",
      revision: 3,
      status: "deployed",
      description: "Upgrade complete",
      firstDeployed: "2026-03-01T11:00:00Z",
      lastDeployed: "2026-03-01T12:00:00Z",
      chart: { name: "web", version: "1.2.3", appVersion: "9.9", kubeVersion: ">=1.30" },
      values: { replicas: 2 },
      manifest: "---\nkind: ConfigMap\n",
    });
  });

  it("is read when it is not compressed, and when fields are missing", async () => {
    const release = await decodeRelease(base64(base64(JSON.stringify({ name: "web", version: 1, config: null }))));
    expect(release).toMatchObject({ name: "web", revision: 1, status: "unknown", values: {}, manifest: "" });
    expect([release.chart.appVersion, release.lastDeployed]).toEqual([undefined, undefined]);
  });

  it("has no time for a zero time of Go", async () => {
    const info = { ...stored.info, last_deployed: "0001-01-01T00:00:00Z" };
    expect((await decodeRelease(packed({ ...stored, info }))).lastDeployed).toBeUndefined();
  });

  it.each<[string, string]>([
    ["nothing", ""],
    ["no JSON", base64(base64("password: hunter2"))],
    ["broken gzip", base64(base64(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])))],
    ["a list", packed([])],
    ["no name", packed({ ...stored, name: undefined })],
    ["no revision", packed({ ...stored, version: "3" })],
    ["a revision before the first", packed({ ...stored, version: 0 })],
    ["far larger than a Secret can hold", base64(base64(gzipSync(Buffer.alloc(40 * 1024 * 1024))))],
  ])("is rejected when it is %s, without quoting its content", async (_what, data) => {
    const error: unknown = await decodeRelease(data).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(describeError(error)).not.toContain("hunter2");
  });

  it("is either read or rejected, for any content", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json().map(packed),
          fc.json().map((text) => base64(base64(text))),
        ),
        async (data) => {
          const error: unknown = await decodeRelease(data).then(
            () => undefined,
            (caught: unknown) => caught,
          );
          if (error !== undefined) expect(error).toBeInstanceOf(InvalidInput);
        },
      ),
    );
  });
});

describe("a history", () => {
  const revision = (number: number, status: ReleaseStatus): Release => ({
    name: "web",
    namespace: "shop",
    revision: number,
    status,
    description: "",
    firstDeployed: undefined,
    lastDeployed: undefined,
    chart: { name: "web", version: "1.0.0", appVersion: undefined },
    values: {},
    manifest: "",
  });

  it.each<[string, readonly Release[], number | undefined, number | undefined]>([
    ["nothing", [], undefined, undefined],
    ["one that runs", [revision(1, "deployed")], 1, 1],
    ["an upgrade that failed", [revision(2, "failed"), revision(1, "deployed")], 2, 1],
    ["an interrupted upgrade", [revision(1, "deployed"), revision(10, "pending-upgrade")], 10, 1],
    ["a first attempt that failed", [revision(1, "failed")], 1, undefined],
    ["many", [9, 10, 8].map((number) => revision(number, number === 10 ? "deployed" : "superseded")), 10, 10],
  ])("of %s", (_what, history, newest, deployed) => {
    expect(newestRevision(history)?.revision).toBe(newest);
    expect(deployedRevision(history)?.revision).toBe(deployed);
  });

  it("detects pending revisions", () => {
    const pending = (["pending-install", "pending-rollback", "uninstalling", "deployed", "failed"] as const).map(
      (status) => isPending({ status }),
    );
    expect(pending).toEqual([true, true, true, false, false]);
  });
});
