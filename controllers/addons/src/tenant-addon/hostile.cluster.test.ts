import { gzipSync } from "node:zlib";
import { TenantAddon } from "@butler/api";
import { builtinKinds, findCondition, type KubeObject } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AddonHarness, home, place } from "../testing/addon-harness.ts";

let harness: AddonHarness;

beforeAll(async () => {
  harness = await AddonHarness.start();
});
afterEach(() => harness?.tidy());
afterAll(() => harness?.stop());

const hanging = { values: { hangs: true }, timeout: "24h" };

/** The first of the add-ons whose message matches. */
async function findAddon(names: readonly string[], message: RegExp): Promise<TenantAddon | undefined> {
  const addons = await Promise.all(names.map((name) => harness.addon(name)));
  return addons.find(({ status }) => message.test(status?.message ?? ""));
}

async function isPending(name: string): Promise<boolean> {
  return (await harness.revisions(name)).some((revision) => revision.includes("pending-install"));
}

describe("add-ons of a hostile tenant", { timeout: 120_000 }, () => {
  it("hole 5: hang without blocking the rest of their team for good, and are removed at once", async () => {
    await harness.makeCluster();
    const names = ["one", "two", "three"];
    for (const name of names) await harness.createAddon(name, hanging);
    const { done } = await harness.run();
    const queued = await eventually(() => findAddon(names, /queued/), { what: "a queue", timeoutMs: 40_000 });
    const [first = "", second = ""] = names.filter((name) => name !== queued.metadata.name);
    expect(findCondition(queued.status?.conditions, "Ready")?.message).toBe(
      `install is queued (position 1 of 1 for team ${home}): waiting for one of the 2 Helm jobs of team ${home}; ` +
        "the timeout of 24h is limited to 1h",
    );
    const arePending = async (): Promise<boolean> => (await isPending(first)) && (await isPending(second));
    await eventually(arePending, { what: "two hooks", timeoutMs: 40_000 });
    // Helm is stopped, its pending revision is uninstalled, and the next of the team starts.
    const key = { name: first, namespace: home };
    await harness.client.delete(TenantAddon, key);
    const isGone = async (): Promise<boolean> => (await harness.client.find(TenantAddon, key)) === undefined;
    await eventually(isGone, { what: "the end of the first", timeoutMs: 40_000 });
    expect(done).toContain("perform cancelJob");
    expect(await harness.revisions(first)).toEqual([]);
    await eventually(() => isPending(queued.metadata.name), { what: "the hook of the queued one", timeoutMs: 40_000 });
  });

  it("hole 5: are stopped when their timeout is shortened", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", hanging);
    await harness.run();
    await eventually(() => isPending("web"), { what: "a hook" });
    await harness.changeAddon("web", { timeout: "1s" });
    const failed = await harness.inPhase("web", "Failed", ({ status }) => status?.lastAttempt?.outcome === "Failed");
    expect(failed.status?.lastAttempt?.reason).toMatch(/TimedOut|HookFailed/);
  });

  it("hole 3: with a forged release are reported, and the others go on", async () => {
    await harness.makeCluster();
    await harness.createAddon("web");
    const { metrics } = await harness.run();
    await harness.inPhase("web", "Installed");
    const forged = `{"name":"web","info":{"status":"deployed"},"manifest":"${"x".repeat(31 * 1024 * 1024)}"}`;
    const release = Buffer.from(gzipSync(forged, { level: 9 }).toString("base64")).toString("base64");
    for (let revision = 2; revision <= 6; revision++) {
      await harness.tenant.client.create(builtinKinds.Secret, {
        apiVersion: "v1",
        kind: "Secret",
        type: "helm.sh/release.v1",
        metadata: {
          name: `sh.helm.release.v1.web.v${revision}`,
          namespace: place,
          labels: { owner: "helm", name: "web", version: String(revision), status: "deployed" },
        },
        data: { release },
      } as KubeObject);
    }
    const isTold = ({ status }: TenantAddon): boolean =>
      findCondition(status?.conditions, "Ready")?.reason === "LookFailed";
    const told = await harness.inPhase("web", "Installed", isTold);
    expect(findCondition(told.status?.conditions, "Ready")).toMatchObject({
      status: "Unknown",
      message: expect.stringMatching(
        /^cannot read the release: .* delete Secret web\/sh.helm.release.v1.web.v6 /,
      ) as string,
    });
    expect(await metrics.value("butler_addon_unreadable_releases_total", { reason: "invalid" })).toBeGreaterThan(0);
    await harness.createAddon("other");
    await harness.inPhase("other", "Installed");
  });
});
