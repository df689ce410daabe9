import { someDefinition } from "@butler/addons/testing";
import { AddonDefinition, ManagementAddon } from "@butler/api";
import { findReleases } from "@butler/helm";
import { findCondition, type KubeObject } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AddonHarness } from "../testing/addon-harness.ts";

let harness: AddonHarness;

beforeAll(async () => {
  harness = await AddonHarness.start();
});
afterEach(() => harness?.tidy());
afterAll(() => harness?.stop());

async function define(name: string, more: Parameters<typeof someDefinition>[1] = {}): Promise<void> {
  const chart = { repository: harness.charts.url, name: "web", defaultVersion: "1.0.0" };
  const defaults = { namespace: "web", timeout: "20s" };
  await harness.client.create(AddonDefinition, someDefinition(name, { chart, defaults, ...more }));
}

async function enable(name: string): Promise<void> {
  await harness.client.create(ManagementAddon, {
    apiVersion: ManagementAddon.apiVersion,
    kind: ManagementAddon.kind,
    metadata: { name },
    spec: { addon: name },
  } as KubeObject);
}

async function inPhase(name: string, phase: string): Promise<ManagementAddon> {
  let seen: ManagementAddon | undefined;
  const look = async (): Promise<ManagementAddon | undefined> => {
    seen = await harness.client.get(ManagementAddon, { name });
    return seen.status?.phase === phase ? seen : undefined;
  };
  return eventually(look, { timeoutMs: 40_000, what: () => `${name} ${phase}: ${JSON.stringify(seen?.status)}` });
}

const readyOf = ({ status }: ManagementAddon): string => {
  const ready = findCondition(status?.conditions, "Ready");
  return `${ready?.status} ${ready?.reason}`;
};

describe("an add-on of the management cluster", { timeout: 120_000 }, () => {
  it("is installed after its dependencies, upgraded and uninstalled", async () => {
    await define("base");
    await define("top", { dependsOn: ["base"] });
    await harness.run({ isManaging: true });
    await enable("top");
    const waiting = await inPhase("top", "WaitingForDependencies");
    expect(waiting.status?.message).toBe("waiting for base to be ready on the management cluster");
    await enable("base");
    await inPhase("base", "Installed");
    expect(readyOf(await inPhase("top", "Installed"))).toBe("True Installed");
    const patch = { type: "merge", patch: { spec: { version: "1.1.0" } } } as const;
    await harness.client.patch(ManagementAddon, { name: "top" }, patch);
    const isUpgraded = async () =>
      (await harness.client.get(ManagementAddon, { name: "top" })).status?.installedVersion === "1.1.0";
    await eventually(isUpgraded, { what: "the upgrade" });
    await harness.client.delete(ManagementAddon, { name: "top" });
    const isGone = async () => (await harness.client.find(ManagementAddon, { name: "top" })) === undefined;
    await eventually(isGone, { what: "the end of top" });
    const { releases } = await findReleases(harness.client, { namespace: "web" });
    expect(releases.map(({ name, status }) => `${name} ${status}`)).toEqual(["base deployed"]);
  });

  it("fails with a remedy where add-ons are disabled", async () => {
    await define("base");
    await harness.run();
    await enable("base");
    const refused = await inPhase("base", "Failed");
    expect(readyOf(refused)).toBe("False NotPermitted");
    expect(refused.status?.message).toContain("managementAddons.enabled");
    await harness.client.delete(ManagementAddon, { name: "base" });
    const isGone = async () => (await harness.client.find(ManagementAddon, { name: "base" })) === undefined;
    await eventually(isGone, { what: "the end of base" });
  });

  it("is never Butler itself", async () => {
    await define("self", { defaults: { namespace: "butler-system", releaseName: "butler" } });
    await harness.run({ isManaging: true });
    await enable("self");
    expect(readyOf(await inPhase("self", "Failed"))).toBe("False OwnRelease");
    const { releases } = await findReleases(harness.client, { namespace: "butler-system" });
    expect(releases).toEqual([]);
  });
});
