import { someDefinition } from "@butler/addons/testing";
import { annotations, labels, ProviderConfig, Team, type TenantAddon, type TenantCluster } from "@butler/api";
import type { Plan } from "@butler/controller";
import { localMachines } from "@butler/provider-local/machines";
import { parseObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Observed } from "../observed.ts";
import { planTenantCluster } from "../plan.ts";
import { namespaceObject } from "../render/namespace.ts";
import { anAddon, catalog } from "../testing/addon-objects.ts";
import { aTenantCluster, machineProviders, now, observedOf, playedFrom } from "../testing/observed-objects.ts";
import { planAddons } from "./plan-addons.ts";

/** On machines that are pods only requested add-ons are installed. */
const asked = {
  cni: { version: "1.18.2" },
  loadBalancer: { version: "" },
  storage: { provider: "longhorn", version: "" },
};
const names = ["shop-cilium", "shop-metallb", "shop-longhorn"];

const plan = (observed: Observed): Plan => planTenantCluster(observed, now, machineProviders);

/** A cluster that is complete except for its add-ons. */
function complete(spec: object = { addons: asked }, more: Partial<Observed> = {}, metadata: object = {}): Observed {
  const cluster = aTenantCluster(spec, metadata);
  const { apply = [] } = plan(observedOf(cluster, { namespace: namespaceObject(cluster, localMachines) }));
  return { ...playedFrom(cluster, apply, "v1.36.3"), definitions: catalog, ...more };
}

/** The same, once it has been ready. */
function seasoned(observed: Observed): Observed {
  const at = "2026-03-01T11:00:00Z";
  const status = { ...observed.cluster.status, steps: [{ name: "Ready", startedAt: at, finishedAt: at }] };
  return { ...observed, cluster: { ...observed.cluster, status } };
}

const addonsIn = ({ apply = [] }: Plan): TenantAddon[] =>
  apply.filter(({ kind }) => kind === "TenantAddon") as TenantAddon[];
const conditionOf = ({ conditions = [] }: Plan, type: string) => conditions.find((each) => each.type === type);
const installed = names.map((name) =>
  anAddon(name, "Installed", { metadata: { labels: { [labels.baseline]: "true" } } }),
);

describe("the baseline add-ons of a cluster", () => {
  it("are applied in order, each with its version and dependencies", () => {
    const stated = addonsIn(plan(complete()));
    expect(stated.map(({ metadata, spec }) => [metadata.name, spec.version, spec.dependsOn])).toEqual([
      ["shop-cilium", "1.18.2", undefined],
      ["shop-metallb", "1.0.0", [{ name: "shop-cilium" }]],
      ["shop-longhorn", "1.0.0", [{ name: "shop-cilium" }]],
    ]);
    expect(stated[0]?.metadata).toMatchObject({ namespace: "payments", labels: { [labels.baseline]: "true" } });
    expect(Object.keys(stated[0]?.spec ?? {})).toEqual(["clusterRef", "addon", "version"]);
  });

  it("wait for an API server", () => {
    const observed = complete();
    expect(planAddons({ ...observed, controlPlane: undefined }).apply).toEqual([]);
  });

  it("keep their initial version until the cluster's spec changes it", () => {
    const addons = names.map((name) => anAddon(name, "Installed", { spec: { version: "0.9.0" } }));
    const versions = addonsIn(plan(complete({ addons: asked }, { addons }))).map(({ spec }) => spec.version);
    expect(versions).toEqual(["1.18.2", "0.9.0", "0.9.0"]);
  });

  it("keep dependencies that users added, and drop deleted ones", () => {
    const dependsOn = [{ name: "mine" }, { name: "gone" }];
    const addons = [anAddon("shop-metallb", "Installed", { spec: { dependsOn } }), anAddon("mine", "Installed")];
    const found = addonsIn(plan(complete({ addons: asked }, { addons }))).find(
      ({ metadata }) => metadata.name === "shop-metallb",
    );
    expect(found?.spec.dependsOn).toEqual([{ name: "shop-cilium" }, { name: "mine" }]);
  });

  it("are left unchanged in a cluster that Butler does not manage, once it has been ready", () => {
    const observed = complete({ addons: asked, managementPolicy: { mode: "Observe" } });
    expect(addonsIn(plan(observed))).toHaveLength(3);
    expect(addonsIn(plan(seasoned(observed)))).toEqual([]);
  });

  it("wait while the cluster is paused", () => {
    const cluster = aTenantCluster({ addons: asked, paused: true });
    expect(addonsIn(plan({ ...complete(), cluster }))).toEqual([]);
  });
});

describe("a TenantAddon that users created", () => {
  it("is adopted with its version and its other fields", () => {
    const mine = anAddon("shop-longhorn", undefined, { spec: { version: "0.5.0", values: { a: 1 } } });
    const found = addonsIn(plan(complete({ addons: asked }, { addons: [mine] }))).at(-1);
    expect(found?.spec).toMatchObject({ addon: "longhorn", version: "0.5.0" });
    expect(found?.spec).not.toHaveProperty("values");
  });

  it("is adopted under any name, and nothing is installed twice", () => {
    const mine = anAddon("my-network", "Installed", { spec: { addon: "cilium" } });
    const stated = addonsIn(plan(complete({ addons: asked }, { addons: [mine] })));
    expect(stated.map(({ metadata }) => metadata.name)).toEqual(["my-network", "shop-metallb", "shop-longhorn"]);
    expect(stated[1]?.spec.dependsOn).toEqual([{ name: "my-network" }]);
  });

  it("keeps its custom chart and its controller", () => {
    const helm = { repository: "https://mirror.example.com", chart: "cilium" };
    const ownerReferences = [{ apiVersion: "v1", kind: "Other", name: "x", uid: "y", controller: true }];
    const mine = anAddon("shop-cilium", undefined, { spec: { addon: undefined, helm }, metadata: { ownerReferences } });
    const [found] = addonsIn(plan(complete({ addons: asked }, { addons: [mine] })));
    expect(found?.spec).toEqual({ clusterRef: { name: "shop" } });
    expect(found?.metadata.ownerReferences).toEqual([]);
  });

  it("of another cluster is not touched", () => {
    const other = anAddon("shop-cilium", undefined, { spec: { clusterRef: { name: "other" } } });
    const told = plan(complete({ addons: asked }, { namesakes: [other] }));
    expect(addonsIn(told).map(({ metadata }) => metadata.name)).not.toContain("shop-cilium");
    expect(conditionOf(told, "AddonsReady")).toMatchObject({ status: "False", reason: "AddonNameTaken" });
  });
});

describe("the effect of add-ons on the cluster", () => {
  const withPhases = (phases: Readonly<Record<string, string | undefined>>): Observed =>
    complete({ addons: asked }, { addons: names.map((name) => anAddon(name, phases[name] ?? "Installed")) });

  it("it is ready when all of them are", () => {
    const told = plan(complete({ addons: asked }, { addons: installed }));
    expect(conditionOf(told, "AddonsReady")).toMatchObject({
      status: "True",
      message: "all there; ready: cilium, metallb, longhorn",
    });
    expect(told.status).toMatchObject({
      phase: "Ready",
      observedState: {
        addons: ["cilium", "longhorn", "metallb"].map((name) => ({
          name,
          version: "1.0.0",
          status: "Healthy",
          managedBy: "butler",
        })),
      },
    });
  });

  it.each<[string, string, string | undefined, boolean]>([
    ["waits for one that is coming", "shop-longhorn", "Installing", false],
    ["waits for one that has not begun", "shop-longhorn", "Pending", false],
    ["does not wait for one that has failed", "shop-longhorn", "Failed", true],
    ["does not wait for one that is unwell", "shop-longhorn", "Degraded", true],
    ["does not wait for an upgrade", "shop-longhorn", "Upgrading", true],
  ])("it %s", (_what, name, phase, isReady) => {
    const told = plan(withPhases({ [name]: phase }));
    expect(conditionOf(told, "Ready")?.status).toBe(isReady ? "True" : "False");
    expect(conditionOf(told, "AddonsReady")).toMatchObject({
      status: "False",
      message: `longhorn is ${phase}: ${phase} it is`,
    });
    expect(told.status).toMatchObject({ phase: isReady ? "Ready" : "Installing" });
  });

  it("it does not wait for dependents of a failed add-on", () => {
    const told = plan(withPhases({ "shop-cilium": "Failed", "shop-metallb": "WaitingForDependencies" }));
    expect(conditionOf(told, "Ready")?.status).toBe("True");
    expect(conditionOf(told, "AddonsReady")).toMatchObject({
      reason: "CNIInstallFailed",
      message: "cilium is Failed: Failed it is; also not ready: metallb",
    });
  });

  it("a failure is reported once, whatever the message of each attempt", () => {
    const events = plan(withPhases({ "shop-longhorn": "Failed" })).events;
    expect(events).toContainEqual({
      type: "Warning",
      reason: "AddonInstallFailed",
      message: "failed to install add-on longhorn; see the status of TenantAddon shop-longhorn",
    });
  });

  it("once it has been ready, add-ons do not make it unready", () => {
    for (const phase of ["Installing", "Pending", "Failed", "Upgrading"]) {
      const told = plan(seasoned(withPhases({ "shop-longhorn": phase })));
      expect(conditionOf(told, "Ready")?.status).toBe("True");
      expect(conditionOf(told, "AddonsReady")?.status).toBe("False");
    }
  });

  it("add-ons of users do not block it", () => {
    const addons = [...installed, anAddon("mine", "Installing", { spec: { addon: "velero" } })];
    const told = plan(complete({ addons: asked }, { addons }));
    expect([conditionOf(told, "Ready")?.status, conditionOf(told, "AddonsReady")?.status]).toEqual(["True", "True"]);
    expect(JSON.stringify(told.status)).toContain('{"name":"velero","version":"unknown","status":"Installing"');
  });

  it("Steward's own add-ons come first", () => {
    const told = plan({ ...complete({ addons: asked }, { addons: installed }), tenantControlPlane: undefined });
    expect(conditionOf(told, "Ready")).toMatchObject({ status: "False", reason: "AddonsPending" });
  });

  it("nodes report that they wait for the pod network", () => {
    const observed = withPhases({ "shop-cilium": "Installing" });
    const told = plan({ ...observed, machines: observed.machines.slice(0, 1) });
    expect(conditionOf(told, "WorkersReady")?.message).toBe(
      "pool workers: 1/2 nodes ready, 1 up to date; waiting for the pod network: cilium is " +
        "Installing: Installing it is",
    );
  });

  it("an unobserved change is not done", () => {
    const changed = anAddon("shop-longhorn", "Installed", { metadata: { generation: 2 } });
    const told = plan(complete({ addons: asked }, { addons: [...installed.slice(0, 2), changed] }));
    expect(conditionOf(told, "AddonsReady")).toMatchObject({ status: "False", reason: "AddonsInstalling" });
  });
});

describe("an add-on that cannot be created", () => {
  const without = catalog.filter(({ metadata }) => metadata.name !== "longhorn");
  const others = installed.filter(({ metadata }) => metadata.name !== "shop-longhorn");
  const team = parseObject(Team, {
    apiVersion: Team.apiVersion,
    kind: Team.kind,
    metadata: { name: "payments" },
    spec: { resourceLimits: { deniedAddons: ["longhorn"] } },
  });
  const unsupported = [
    ...without,
    someDefinition("longhorn", { variations: [{ providers: ["local"], unsupported: "no disks" }] }),
  ];

  it.each<[string, Partial<Observed>, string, string]>([
    ["because the catalog lacks it", { definitions: without }, "AddonNotInCatalog", "butleradm addon catalog add"],
    ["because the team may not have it", { team }, "AddonDenied", "in the team's deniedAddons"],
    ["because it cannot be used there", { definitions: unsupported }, "UnsupportedProvider", "on local: no disks"],
  ])("%s is reported, and the cluster continues", (_what, more, reason, message) => {
    const told = plan(complete({ addons: asked }, { addons: others, ...more }));
    expect(addonsIn(told).map(({ metadata }) => metadata.name)).toEqual(["shop-cilium", "shop-metallb"]);
    expect(conditionOf(told, "AddonsReady")).toMatchObject({ status: "False", reason });
    expect(conditionOf(told, "AddonsReady")?.message).toContain(message);
    expect(conditionOf(told, "Ready")?.status).toBe("True");
    expect(JSON.stringify(told.status)).toContain(
      '{"version":"","status":"Pending","managedBy":"butler","name":"longhorn"}',
    );
  });

  it("because of another one is reported, and both stay unchanged", () => {
    const addons = [anAddon("shop-traefik", "Installed")];
    const told = plan(complete({ addons: { ingress: { provider: "nginx" } } }, { addons }));
    expect(addonsIn(told)).toEqual([]);
    expect(conditionOf(told, "AddonsReady")).toMatchObject({ reason: "Conflict" });
    expect(told.remove).toEqual([]);
  });

  it("because it is being removed is recreated afterwards", () => {
    const going = anAddon("shop-longhorn", "Deleting", {
      metadata: { deletionTimestamp: "2026-03-01T12:00:00Z", finalizers: ["x"] },
    });
    const told = plan(complete({ addons: asked }, { addons: [...others, going] }));
    expect(addonsIn(told)).toHaveLength(2);
    expect(conditionOf(told, "AddonsReady")).toMatchObject({ reason: "AddonBeingRemoved" });
  });
});

describe("a preset of the team", () => {
  const notes = { [annotations.valueOrigins]: '{"spec.addons[velero]":{"value":"velero","from":"team"}}' };
  const namesIn = (observed: Observed): string[] => addonsIn(plan(observed)).map(({ metadata }) => metadata.name);

  it("applies to new clusters: it is not restored when removed later", () => {
    const fresh = complete({}, {}, { annotations: notes });
    expect(namesIn(fresh)).toEqual(["shop-velero"]);
    expect(namesIn(seasoned(fresh))).toEqual([]);
  });

  it("is added when the catalog gets it", () => {
    const lacking = complete({}, { definitions: [] }, { annotations: notes });
    const told = plan(lacking).status as Record<string, unknown>;
    const cluster = { ...lacking.cluster, status: told } as unknown as TenantCluster;
    expect(namesIn({ ...lacking, cluster })).toEqual([]);
    expect(namesIn({ ...lacking, cluster, definitions: catalog })).toEqual(["shop-velero"]);
  });
});

describe("after any later failure", () => {
  const phase = fc.constantFrom("Pending", "Installing", "Installed", "Upgrading", "RollingBack", "Degraded", "Failed");
  const harvester = parseObject(ProviderConfig, {
    apiVersion: ProviderConfig.apiVersion,
    kind: ProviderConfig.kind,
    metadata: { name: "h", namespace: "butler-system" },
    spec: { provider: "harvester", credentialsRef: { name: "x" }, harvester: { networkName: "default/vlan40" } },
  });

  it("an installed baseline is never deleted or downgraded", () => {
    const anyState = fc.record({
      phases: fc.tuple(phase, phase, phase),
      definitions: fc.subarray([...catalog]),
      addons: fc.constantFrom<object>(
        asked,
        {},
        { cni: { version: "1.19.0" } },
        { storage: { provider: "linstor", version: "1" } },
      ),
      trouble: fc.constantFrom<Partial<Observed>>(
        {},
        { isProviderServed: false },
        { controlPlane: undefined, tenantControlPlane: undefined },
        { provider: { key: { name: "gone" }, found: undefined, credentials: {} } },
        { provider: { key: harvester.metadata, found: harvester, credentials: undefined } },
        { machines: [] },
      ),
      isSeasoned: fc.boolean(),
    });
    fc.assert(
      fc.property(anyState, ({ phases, definitions, addons: wanted, trouble, isSeasoned }) => {
        const addons = names.map((name, at) => anAddon(name, phases[at], { spec: { version: "1.0.0" } }));
        const base = complete({ addons: wanted }, { addons, definitions });
        const told = plan({ ...(isSeasoned ? seasoned(base) : base), ...trouble });
        expect((told.remove ?? []).filter(({ kind }) => kind.kind === "TenantAddon")).toEqual([]);
        for (const { metadata, spec } of addonsIn(told)) {
          const before = addons.find((each) => each.metadata.name === metadata.name);
          const stated = (wanted as { cni?: { version: string } }).cni?.version;
          if (before !== undefined) expect(["1.0.0", stated]).toContain(spec.version);
        }
      }),
    );
  });

  it("equal observations give equal plans, and every object is applied again", () => {
    const observed = complete({ addons: asked });
    const stated = addonsIn(plan(observed));
    const again = addonsIn(plan({ ...observed, addons: stated }));
    expect(again).toEqual(addonsIn(plan(observed)));
  });
});
