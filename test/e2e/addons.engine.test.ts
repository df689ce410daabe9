import type { TenantAddon } from "@butler/api";
import { engineImageNames } from "@butler/engine";
import { findCondition, isConditionTrue } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { podProcesses } from "../bench/lib/pod-processes.ts";
import { AddonShelf } from "./lib/addon-shelf.ts";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import type { KubectlCalls } from "./lib/kubectl-calls.ts";
import { TenantAddons } from "./lib/tenant-addons.ts";

const minutes = 60_000;
const team = "demo-team";
const { coredns, pause } = engineImageNames();

let platform: EngineWithButler;
let shelf: AddonShelf;
let addons: TenantAddons;
let inside: KubectlCalls;

type Status = NonNullable<TenantAddon["status"]>;

const isReady = (status: Status): boolean =>
  status.phase === "Installed" && isConditionTrue(status.conditions, "Ready");

/** Kills the controller like a crash; another replica takes over. */
async function killController(): Promise<void> {
  const pods = ["pods", "-n", "butler-system", "-l", "app.kubernetes.io/component=controller"];
  const uids = await platform.kubectl.run("get", ...pods, "-o", "jsonpath={.items[*].metadata.uid}");
  const processes = await Promise.all(uids.split(" ").map((uid) => podProcesses(uid, "node")));
  expect(processes.flat().length).toBeGreaterThan(0);
  for (const pid of processes.flat()) process.kill(pid, "SIGKILL");
  // A container that crashed several times is restarted with backoff; a new pod starts immediately.
  await platform.kubectl.run("delete", ...pods, "--grace-period=0", "--force");
}

/** The same as soon as an add-on is in a phase. */
async function killControllerWhile(name: string, phase: Status["phase"]): Promise<Status> {
  const isSo = async (): Promise<Status | undefined> => {
    const status = await addons.status(name);
    return status.phase === phase ? status : undefined;
  };
  const seen = await eventually(isSo, { timeoutMs: 60_000, intervalMs: 50, what: `${name} being ${phase}` });
  await killController();
  return seen;
}

/** The release according to Helm's own Secrets. */
async function revisionsOf(release: string): Promise<string[]> {
  const path = "{range .items[*]}{.metadata.labels.version}={.metadata.labels.status} {end}";
  const selector = `owner=helm,name=${release}`;
  const names = await inside.run("get", "secrets", "-n", release, "-l", selector, "-o", `jsonpath=${path}`);
  return names.split(" ").filter(Boolean).sort();
}

/** After interruptions and retries, exactly one revision is deployed. */
const deployedRevisions = async (release: string): Promise<string[]> =>
  (await revisionsOf(release)).filter((revision) => revision.endsWith("=deployed"));

describe.runIf(canHostEngine)("add-ons of a tenant cluster", { timeout: 6 * minutes }, () => {
  beforeAll(async () => {
    platform = await EngineWithButler.shared("upgrades");
    shelf = await AddonShelf.open(await platform.nodeAddress());
    await shelf.offer("web", "1.0.0", "1.1.0", "2.0.0");
    await shelf.offer("crd-and-cr", "1.0.0");
    await shelf.offer("stateful", "1.0.0");
    await shelf.offer("umbrella", "1.0.0");
    const clusters = await platform.exampleTeam();
    await clusters.create("demo");
    await clusters.settled("demo");
    inside = await clusters.inside("demo");
    addons = new TenantAddons(platform.kubectl, { namespace: team, cluster: "demo" });
  }, 6 * minutes);

  afterAll(async () => {
    await shelf?.close();
    await platform?.leave();
  }, 3 * minutes);

  it("are installed in dependency order, in parallel where possible, though the controller is killed", async () => {
    await platform.kubectl.apply([
      shelf.entry("base", "crd-and-cr"),
      shelf.entry("left", "web", { dependsOn: ["base"], defaults: { values: { image: coredns } } }),
      shelf.entry("right", "stateful", { dependsOn: ["base"], defaults: { values: { image: pause } } }),
      shelf.entry("top", "umbrella", { dependsOn: ["left", "right"] }),
      shelf.entry("beside", "web", { defaults: { values: { image: coredns, hook: { enabled: false } } } }),
    ]);
    await addons.enable({
      top: { addon: "top" },
      right: { addon: "right" },
      left: { addon: "left", values: { greeting: "first" } },
      base: { addon: "base" },
      beside: { addon: "beside" },
    });
    const firstOfLeft = await killControllerWhile("left", "Installing");
    const names = ["base", "left", "right", "top", "beside"];
    const all = await Promise.all(names.map((name) => addons.until(name, isReady, "installed")));
    const [base, left, right, top, beside] = all;
    const begun = (status: Status | undefined): number => Date.parse(status?.lastAttempt?.startedAt ?? "");
    const ended = (status: Status | undefined): number => Date.parse(status?.lastAttempt?.finishedAt ?? "");
    expect(begun(left)).toBeGreaterThanOrEqual(ended(base));
    expect(begun(right)).toBeGreaterThanOrEqual(ended(base));
    expect(begun(top)).toBeGreaterThanOrEqual(Math.max(ended(left), ended(right)));
    // These have no dependencies, so they are installed in parallel.
    expect(begun(right)).toBeLessThan(ended(left));
    // The kill may have caused another attempt.
    expect(begun(firstOfLeft)).toBeLessThan(ended(right));
    expect(begun(beside)).toBeLessThan(ended(base) + 5_000);
    for (const status of all) expect(status.resources?.ready).toBe(status.resources?.total);
    for (const name of names) expect(await deployedRevisions(name)).toHaveLength(1);
    for (const name of ["base", "top"]) expect(await revisionsOf(name)).toEqual(["1=deployed"]);
    expect(left?.valueOrigins).toContainEqual({ path: "greeting", from: "addon" });
    expect(left?.valueOrigins).toContainEqual({ path: "image", from: "definition" });
  });

  it("are upgraded, though the controller is killed", async () => {
    await addons.change("left", { version: "1.1.0", values: { greeting: "second" } });
    await killControllerWhile("left", "Upgrading");
    const { installedVersion } = await addons.until("left", isReady, "upgraded");
    expect(installedVersion).toBe("1.1.0");
    expect(await inside.run("get", "configmap", "left", "-n", "left", "-o", "jsonpath={.data.greeting}")).toBe(
      "second",
    );
    expect(await deployedRevisions("left")).toHaveLength(1);
  });

  it("are rolled back when an upgrade never becomes ready, though the controller is killed", async () => {
    const broken = { greeting: "third", image: "registry.invalid/nothing:1", hook: { enabled: false } };
    await addons.change("left", { version: "2.0.0", timeout: "15s", values: broken });
    await killControllerWhile("left", "RollingBack");
    const status = await addons.until(
      "left",
      ({ phase, installedVersion }) => phase === "Installed" && installedVersion === "1.1.0",
      "back at 1.1.0",
    );
    const ready = findCondition(status.conditions, "Ready");
    expect(ready).toMatchObject({ status: "False", reason: "UpgradeFailed" });
    expect(ready?.message).toContain("registry.invalid/nothing:1");
    expect(isConditionTrue(status.conditions, "Healthy")).toBe(true);
    expect(await inside.run("get", "configmap", "left", "-n", "left", "-o", "jsonpath={.data.greeting}")).toBe(
      "second",
    );
    // Its dependents are not affected.
    const top = await addons.status("top");
    expect(top.phase).toBe("Installed");
    expect(findCondition(top.conditions, "Ready")).toMatchObject({ status: "True" });
  });

  it("are rolled back when a hook of an upgrade fails, and upgraded again when it is fixed", async () => {
    await addons.change("left", {
      timeout: "60s",
      values: { greeting: "fourth", image: null, hook: { enabled: true, fails: true } },
    });
    const status = await addons.until(
      "left",
      ({ conditions }) =>
        findCondition(conditions, "Ready")?.reason === "UpgradeFailed" &&
        findCondition(conditions, "Ready")?.message.includes("left-greeting") === true,
      "back after the hook",
    );
    expect(status.installedVersion).toBe("1.1.0");
    await addons.change("left", { values: { hook: { fails: false } } });
    expect((await addons.until("left", isReady, "mended")).installedVersion).toBe("2.0.0");
  });

  it("are rolled back to spec.rollbackTo, and stay there, though the controller is killed", async () => {
    await addons.change("left", { rollbackTo: 1 });
    await killControllerWhile("left", "RollingBack");
    const status = await addons.until("left", isReady, "at revision 1 again");
    expect(status).toMatchObject({ installedVersion: "1.0.0", rolledBackTo: 1 });
    expect(await inside.run("get", "configmap", "left", "-n", "left", "-o", "jsonpath={.data.greeting}")).toBe("first");
  });

  it("report unhealthy objects", async () => {
    await inside.run("set", "image", "deployment/beside", "web=registry.invalid/nothing:1", "-n", "beside");
    const spoilt = await addons.until("beside", ({ phase }) => phase === "Degraded", "degraded");
    expect(spoilt.message).toContain("Deployment beside/beside");
    await inside.run("set", "image", "deployment/beside", `web=${coredns}`, "-n", "beside");
    await addons.until("beside", isReady, "well again");
  });

  it("are uninstalled completely, though the controller is killed", async () => {
    await addons.remove("left");
    await killController();
    await eventually(() => addons.isGone("left"), { timeoutMs: 2 * minutes, intervalMs: 200, what: "the end of left" });
    expect(await revisionsOf("left")).toEqual([]);
    const left = await inside.run("get", "deployments,services,configmaps", "-n", "left", "-o", "name");
    expect(left.split("\n").filter((name) => !name.endsWith("kube-root-ca.crt") && name !== "")).toEqual([]);
    expect(isReady(await addons.status("right"))).toBe(true);
  });

  it("report faults without affecting others", async () => {
    await addons.enable({
      "no-chart": { helm: { repository: shelf.url, chart: "nothing", createNamespace: true } },
      "no-version": { helm: { repository: shelf.url, chart: "web", createNamespace: true }, version: "9.9.9" },
      "no-definition": { addon: "not-in-catalog" },
      fine: { helm: { repository: shelf.url, chart: "umbrella", createNamespace: true } },
    });
    const reasonOf = async (name: string): Promise<string | undefined> =>
      findCondition((await addons.status(name)).conditions, "Ready")?.reason;
    await addons.until("fine", isReady, "installed");
    await eventually(async () => (await reasonOf("no-chart")) === "ChartNotFound", { what: "ChartNotFound" });
    await eventually(async () => (await reasonOf("no-version")) === "VersionNotFound", { what: "VersionNotFound" });
    await eventually(async () => (await reasonOf("no-definition")) === "DefinitionNotFound", {
      what: "DefinitionNotFound",
    });
  });

  it("are deleted with their cluster", async () => {
    await eventually(() => platform.kubectl.run("delete", "tenantcluster", "demo", "-n", team, "--timeout=180s"), {
      timeoutMs: 3 * minutes,
      intervalMs: 1_000,
      what: "the end of the cluster",
    });
    expect(await platform.kubectl.run("get", "tenantaddons", "-n", team, "-o", "name")).toBe("");
  });
});
