import { annotations, TenantAddon, TenantCluster } from "@butler/api";
import { builtinKinds, findCondition, type Kind } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AddonHarness, home, place } from "../testing/addon-harness.ts";

let harness: AddonHarness;

beforeAll(async () => {
  harness = await AddonHarness.start();
});
afterEach(() => harness?.tidy());
afterAll(() => harness?.stop());

const conditionOf = (addon: TenantAddon, type: string): string => {
  const found = findCondition(addon.status?.conditions, type);
  return `${found?.status} ${found?.reason}`;
};

const Job: Kind = { group: "batch", version: "v1", kind: "Job", plural: "jobs", scope: "Namespaced" };

async function remove(name: string): Promise<void> {
  const key = { name, namespace: home };
  await harness.client.delete(TenantAddon, key);
  await gone(name);
}

async function gone(name: string): Promise<void> {
  const key = { name, namespace: home };
  const isGone = async (): Promise<boolean> => (await harness.client.find(TenantAddon, key)) === undefined;
  await eventually(isGone, { what: `the end of ${name}` });
}

describe("an add-on of a tenant cluster", { timeout: 120_000 }, () => {
  it("is installed, upgraded and uninstalled, with a correct status", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { values: { greeting: "moin" } });
    const { metrics } = await harness.run();
    const installed = await harness.inPhase("web", "Installed");
    expect(installed.status).toMatchObject({
      installedVersion: "1.0.0",
      resources: { total: 1, ready: 1 },
      helmRelease: { name: "web", namespace: "web", revision: 1, status: "deployed", kubernetesVersions: ">=1.25.0-0" },
      lastAttempt: { action: "install", outcome: "Succeeded", revision: 1, version: "1.0.0" },
      lastGoodRevision: 1,
      valueOrigins: [{ path: "greeting", from: "addon" }],
    });
    expect(conditionOf(installed, "Ready")).toBe("True Installed");
    expect(await harness.greeting("web")).toBe("moin");
    await harness.changeAddon("web", { version: "1.1.0", values: { greeting: "hallo" } });
    const upgraded = await harness.inPhase("web", "Installed", ({ status }) => status?.installedVersion === "1.1.0");
    expect(upgraded.status?.lastAttempt).toMatchObject({ action: "upgrade", outcome: "Succeeded", revision: 2 });
    expect(await harness.greeting("web")).toBe("hallo");
    expect(await metrics.value("butler_addon_phase", { addon: "web", phase: "Installed" })).toBe(1);
    expect(await metrics.value("butler_addon_install_duration_seconds", { outcome: "Succeeded" })).toBe(2);
    await remove("web");
    expect(await harness.revisions("web")).toEqual([]);
    expect(await harness.greeting("web")).toBeUndefined();
    expect(await metrics.value("butler_addon_phase", { addon: "web" })).toBe(0);
  });

  it("is installed once its objects are ready, and degraded when they are not", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { values: { workload: true }, timeout: "10m" });
    await harness.run();
    const waiting = await harness.inPhase("web", "Installing", ({ status }) => status?.resources?.total === 2);
    expect(waiting.status?.message).toMatch(/1 of 2 objects are ready; waiting for Deployment web\/web: /);
    await harness.makeReady("web");
    await harness.inPhase("web", "Installed");
    const unready = {
      type: "merge",
      subresource: "status",
      patch: { status: { readyReplicas: 0, availableReplicas: 0 } },
    } as const;
    await harness.tenant.client.patch(builtinKinds.Deployment, { name: "web", namespace: place }, unready);
    const degraded = await harness.inPhase("web", "Degraded");
    expect(conditionOf(degraded, "Healthy")).toBe("False NotReady");
    expect(await harness.revisions("web")).toEqual(["1 deployed 1.0.0"]);
  });

  it("rolls back when an upgrade fails, reports why, and does not retry", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { values: { greeting: "old" } });
    const { done } = await harness.run();
    await harness.inPhase("web", "Installed");
    await harness.changeAddon("web", { version: "1.1.0", values: { greeting: "new", breaks: true } });
    const back = await harness.inPhase("web", "Installed", ({ status }) => status?.rolledBackTo === 1);
    expect(conditionOf(back, "Ready")).toBe("False UpgradeFailed");
    expect(back.status?.message).toMatch(/^the upgrade failed and was rolled back: .*99999/);
    expect(back.status?.installedVersion).toBe("1.0.0");
    expect(await harness.greeting("web")).toBe("old");
    expect(await harness.revisions("web")).toEqual(["1 superseded 1.0.0", "2 failed 1.1.0", "3 deployed 1.0.0"]);
    const jobs = done.filter((text) => text === "perform startJob").length;
    expect(jobs).toBe(3);
    await harness.changeAddon("web", { values: { greeting: "new", breaks: null } });
    const upgraded = await harness.inPhase("web", "Installed", ({ status }) => status?.installedVersion === "1.1.0");
    expect(conditionOf(upgraded, "Ready")).toBe("True Installed");
    expect(upgraded.status).not.toHaveProperty("rolledBackTo");
  });

  it("rolls back when an upgrade never becomes ready", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { timeout: "3s" });
    await harness.run();
    await harness.inPhase("web", "Installed");
    await harness.changeAddon("web", { values: { workload: true } });
    const back = await harness.inPhase("web", "Installed", ({ status }) => status?.rolledBackTo === 1);
    expect(back.status?.message).toMatch(/rolled back: not ready in time: 1 of 2 objects are ready/);
    expect(await harness.revisions("web")).toEqual(["1 superseded 1.0.0", "2 superseded 1.0.0", "3 deployed 1.0.0"]);
  });

  it("rolls back to spec.rollbackTo, and forward again", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { values: { greeting: "one" } });
    await harness.run();
    await harness.inPhase("web", "Installed");
    await harness.changeAddon("web", { version: "2.0.0", values: { greeting: "two" } });
    await harness.inPhase("web", "Installed", ({ status }) => status?.installedVersion === "2.0.0");
    await harness.changeAddon("web", { rollbackTo: 1 });
    const back = await harness.inPhase("web", "Installed", ({ status }) => status?.rolledBackTo === 1);
    expect(conditionOf(back, "Ready")).toBe("True Installed");
    expect(await harness.greeting("web")).toBe("one");
    await harness.changeAddon("web", { rollbackTo: 9 });
    const lost = await harness.inPhase("web", "Degraded");
    expect(lost.status?.message).toBe("cannot roll back to revision 9; set spec.rollbackTo to one of: 3, 2, 1");
    await harness.changeAddon("web", { rollbackTo: null });
    await harness.inPhase("web", "Installed", ({ status }) => status?.installedVersion === "2.0.0");
    expect(await harness.greeting("web")).toBe("two");
  });

  it("is installed after its dependencies, without blocking others", async () => {
    await harness.makeCluster({ isReady: false });
    await harness.createAddon("first", { values: { workload: true }, timeout: "10m" });
    await harness.createAddon("second", { dependsOn: [{ name: "first" }] });
    await harness.createAddon("other");
    await harness.run();
    const pending = await harness.inPhase("first", "Pending");
    expect(conditionOf(pending, "ClusterReady")).toBe("False ControlPlaneNotReady");
    await harness.setControlPlane("True");
    await harness.inPhase("other", "Installed");
    const waiting = await harness.inPhase("second", "WaitingForDependencies");
    expect(waiting.status?.message).toMatch(/^waiting for first/);
    expect(await harness.revisions("second")).toEqual([]);
    await harness.inPhase("first", "Installing", ({ status }) => status?.resources !== undefined);
    await harness.makeReady("first");
    await harness.inPhase("second", "Installed");
  });

  it("reports chart errors, and others continue while a repository hangs", async () => {
    await harness.makeCluster();
    await harness.createAddon("missing", { version: "9.9.9" });
    await harness.createAddon("unknown", { addon: "not-in-catalog", helm: null });
    await harness.run();
    const missing = await harness.inPhase("missing", "Failed");
    expect(conditionOf(missing, "Ready")).toBe("False VersionNotFound");
    expect(missing.status?.lastAttempt).toMatchObject({ outcome: "Failed", reason: "VersionNotFound", failures: 1 });
    const unknown = await harness.inPhase("unknown", "Failed");
    expect(conditionOf(unknown, "Ready")).toBe("False DefinitionNotFound");
    harness.charts.hangs = true;
    await harness.createAddon("slow");
    const slow = await harness.inPhase("slow", "Failed");
    expect(conditionOf(slow, "Ready")).toBe("False RepositoryTimeout");
    harness.charts.hangs = false;
    await harness.createAddon("web");
    await harness.inPhase("web", "Installed");
  });

  it("cancels its job when the desired state changes", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { values: { hangs: true, greeting: "one" }, timeout: "10m" });
    const { done } = await harness.run();
    await eventually(async () => (await harness.revisions("web"))[0] === "1 pending-install 1.0.0", { what: "a hook" });
    await harness.changeAddon("web", { version: "1.1.0", values: { hangs: null, greeting: "two" } });
    const installed = await harness.inPhase("web", "Installed");
    expect(installed.status?.installedVersion).toBe("1.1.0");
    expect(await harness.greeting("web")).toBe("two");
    expect(done.filter((text) => text === "perform cancelJob")).toHaveLength(1);
  });

  it("is completed by the next process after a crash", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { values: { hangs: true }, timeout: "10m" });
    const first = await harness.run();
    const hook = { name: "web-hook", namespace: place };
    const { metadata } = await eventually(() => harness.tenant.client.find(Job, hook), { what: "a hook" });
    const { uid } = metadata;
    await first.die();
    expect(await harness.revisions("web")).toEqual(["1 pending-install 1.0.0"]);
    const second = await harness.run();
    const next = await eventually(
      async () => {
        const job = await harness.tenant.client.find(Job, hook);
        return job !== undefined && job.metadata.uid !== uid && job;
      },
      { what: "the hook once more" },
    );
    const time = "2026-01-01T00:00:00Z";
    const conditions = [
      { type: "SuccessCriteriaMet", status: "True", lastTransitionTime: time },
      { type: "Complete", status: "True", lastTransitionTime: time },
    ];
    const status = { succeeded: 1, startTime: time, completionTime: time, conditions };
    await harness.tenant.client.patch(Job, next.metadata, { type: "merge", subresource: "status", patch: { status } });
    await harness.inPhase("web", "Installed");
    expect(second.done.filter((text) => text === "perform forgetRevision")).toHaveLength(1);
  });

  it("reports drift, and reverts it when enabled", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { values: { greeting: "mine" } });
    await harness.run();
    await harness.inPhase("web", "Installed");
    const change = { type: "merge", patch: { data: { greeting: "yours" } } } as const;
    await harness.tenant.client.patch(builtinKinds.ConfigMap, { name: "web", namespace: place }, change);
    const drifted = await harness.inPhase("web", "Installed", ({ status }) => status?.drift !== undefined);
    expect(conditionOf(drifted, "InSync")).toBe("False Drifted");
    expect(conditionOf(drifted, "Ready")).toBe("True Installed");
    expect(await harness.greeting("web")).toBe("yours");
    await harness.changeAddon("web", { driftPolicy: "Repair" });
    await eventually(async () => (await harness.greeting("web")) === "mine", { what: "the repair" });
    const repaired = await harness.inPhase(
      "web",
      "Installed",
      (addon) => conditionOf(addon, "InSync") === "True AsMade",
    );
    expect(repaired.status?.lastAttempt).toMatchObject({ action: "repair", outcome: "Succeeded" });
  });

  it("is not reconciled while paused", async () => {
    await harness.makeCluster();
    await harness.createAddon("web", { paused: true });
    const { done } = await harness.run();
    const paused = await harness.inPhase("web", "Pending");
    expect(conditionOf(paused, "Ready")).toBe("False Paused");
    expect(done).not.toContain("perform startJob");
    await harness.changeAddon("web", { paused: null });
    await harness.inPhase("web", "Installed");
  });

  it("neither adopts nor uninstalls the release of another add-on", async () => {
    await harness.makeCluster();
    await harness.createAddon("web");
    await harness.run();
    await harness.inPhase("web", "Installed");
    const helm = { repository: harness.charts.url, chart: "web", namespace: place, releaseName: "web" };
    await harness.createAddon("thief", { helm, values: { greeting: "stolen" } });
    const refused = await harness.inPhase("thief", "Failed");
    expect(conditionOf(refused, "Ready")).toBe("False ReleaseTaken");
    await remove("thief");
    expect(await harness.revisions("web")).toEqual(["1 deployed 1.0.0"]);
    expect(await harness.greeting("web")).toBe("hello");
  });

  it("moves to another release name", async () => {
    await harness.makeCluster();
    await harness.createAddon("web");
    await harness.run();
    await harness.inPhase("web", "Installed");
    const helm = { repository: harness.charts.url, chart: "web", namespace: place, releaseName: "site" };
    await harness.changeAddon("web", { helm });
    await harness.inPhase("web", "Installed", ({ status }) => status?.helmRelease?.name === "site");
    expect(await harness.revisions("web")).toEqual([]);
    expect(await harness.greeting("site")).toBe("hello");
  });

  it("is deleted with its cluster, and can be abandoned when the cluster is unreachable", async () => {
    await harness.makeCluster();
    await harness.createAddon("web");
    await harness.createAddon("site");
    await harness.run();
    await harness.inPhase("web", "Installed");
    await harness.inPhase("site", "Installed");
    const secret = { name: "shop-kubeconfig", namespace: home };
    const broken = Buffer.from("nonsense").toString("base64");
    await harness.client.patch(builtinKinds.Secret, secret, { type: "merge", patch: { data: { value: broken } } });
    await harness.client.delete(TenantAddon, { name: "web", namespace: home });
    const isStuck = ({ status }: TenantAddon): boolean => status?.lastAttempt?.outcome === "Failed";
    const stuck = await harness.inPhase("web", "Deleting", isStuck);
    expect(stuck.status?.message).toMatch(
      /^uninstall failed: invalid kubeconfig.*to delete it anyway, set the annotation .*abandon: "true"/,
    );
    const abandon = { metadata: { annotations: { [annotations.abandon]: "true" } } };
    await harness.client.patch(TenantAddon, { name: "web", namespace: home }, { type: "merge", patch: abandon });
    await gone("web");
    await harness.client.delete(TenantCluster, { name: "shop", namespace: home });
    await remove("site");
    expect(await harness.revisions("web")).toEqual(["1 deployed 1.0.0"]);
  });
});
