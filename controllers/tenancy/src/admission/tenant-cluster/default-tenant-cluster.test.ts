import { annotations, type Team, TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { ada, aCluster, aConfig, aTeam } from "../testing/objects.ts";
import { type DefaultingInput, defaultTenantCluster } from "./default-tenant-cluster.ts";

function sent(spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}): TenantCluster {
  const { apiVersion, kind } = TenantCluster;
  const labels = { "butler.butlerlabs.dev/environment": "dev" };
  return parseObject(TenantCluster, { apiVersion, kind, metadata: { name: "shop", labels, ...metadata }, spec });
}

const filled = (input: Partial<DefaultingInput> = {}): TenantCluster =>
  defaultTenantCluster({
    cluster: sent(),
    before: undefined,
    requester: { username: ada, isTrusted: false },
    namespace: "payments",
    config: aConfig(),
    team: aTeam(),
    ...input,
  });

const originsIn = ({ metadata }: TenantCluster): Record<string, { value: unknown; from: string }> =>
  JSON.parse(metadata.annotations?.[annotations.valueOrigins] ?? "{}") as Record<
    string,
    { value: unknown; from: string }
  >;

const team = (clusterDefaults: object, more: object = {}, ofDev?: object): Team =>
  aTeam({ spec: { clusterDefaults, environments: [{ name: "dev", clusterDefaults: ofDev }], ...more } });

describe("a new cluster", () => {
  it("gets the platform's values when no others are set", () => {
    const cluster = filled();
    expect(cluster.spec.kubernetesVersion).toBe("v1.36.3");
    expect(cluster.spec.workers).toMatchObject({
      replicas: 3,
      machineTemplate: { cpu: 4, memory: "16Gi", diskSize: "100Gi" },
    });
    expect(new Set(Object.values(originsIn(cluster)).map(({ from }) => from))).toEqual(new Set(["platform"]));
  });

  const all = { kubernetesVersion: "1.34.1", workerCount: 5, workerCPU: 8, workerMemoryGi: 32, workerDiskGi: 200 };

  it.each<[string, Partial<DefaultingInput>, unknown[], string]>([
    ["the team's", { team: team(all) }, ["v1.34.1", 5, 8, "32Gi", "200Gi"], "team"],
    [
      "the environment's before the team's",
      { team: team({ ...all, workerCPU: 1 }, {}, all) },
      ["v1.34.1", 5, 8, "32Gi", "200Gi"],
      "environment",
    ],
    [
      "its own before all others",
      {
        team: team(all, {}, all),
        cluster: sent({
          kubernetesVersion: "v1.35.2",
          workers: { replicas: 1, machineTemplate: { cpu: 2, memory: "4Gi", diskSize: "20Gi" } },
        }),
      },
      ["v1.35.2", 1, 2, "4Gi", "20Gi"],
      "cluster",
    ],
  ])("gets %s", (_what, input, expected, from) => {
    const cluster = filled(input);
    const { replicas, machineTemplate } = cluster.spec.workers;
    const { cpu, memory, diskSize } = machineTemplate;
    expect([cluster.spec.kubernetesVersion, replicas, cpu, memory, diskSize]).toEqual(expected);
    expect(new Set(Object.values(originsIn(cluster)).map((origin) => origin.from))).toEqual(new Set([from]));
  });

  it("gets the default sizes of the team's limits, and treats 0 as unset", () => {
    const resourceLimits = { defaultNodeCount: 2, defaultCPUPerNode: "1500m", defaultMemoryPerNode: "8Gi" };
    const cluster = filled({
      team: team({ workerCount: 0 }, { resourceLimits }),
      cluster: sent({ workers: { machineTemplate: { memory: 0 } } }),
    });
    expect(cluster.spec.workers).toMatchObject({ replicas: 2, machineTemplate: { cpu: 2, memory: "8Gi" } });
    expect(originsIn(cluster)["spec.workers.replicas"]).toEqual({ value: 2, from: "team" });
  });

  it.each<[string, Partial<DefaultingInput>, unknown]>([
    [
      "the team's",
      { team: aTeam({ spec: { providerConfigRef: { name: "own" } } }) },
      { name: "own", namespace: "butler-system" },
    ],
    [
      "the platform's",
      { config: aConfig({ defaultProviderConfigRef: { name: "all" } }) },
      { name: "all", namespace: "butler-system" },
    ],
    [
      "its own",
      {
        cluster: sent({ providerConfigRef: { name: "mine" } }),
        team: aTeam({ spec: { providerConfigRef: { name: "own" } } }),
      },
      { name: "mine" },
    ],
    ["none", {}, undefined],
  ])("gets a provider: %s", (_what, input, expected) => {
    expect(filled(input).spec.providerConfigRef).toEqual(expected);
  });

  it("gets the team of its namespace, unless there are no teams", () => {
    expect(filled().spec.teamRef).toEqual({ name: "payments" });
    expect(filled({ config: aConfig({ multiTenancy: {} }) }).spec.teamRef).toBeUndefined();
    expect(filled({ team: undefined }).spec.teamRef).toBeUndefined();
  });

  it("gets the default add-ons that are not overridden, and records all", () => {
    const cluster = filled({
      team: team({ defaultAddons: ["nginx", "cert-manager", "longhorn"] }, {}, { defaultAddons: ["nginx", "kyverno"] }),
      config: aConfig({ defaultAddonVersions: { certManager: "1.2.3" } }),
    });
    expect(cluster.spec.addons).toEqual({
      ingress: { enabled: true, provider: "nginx" },
      certManager: { enabled: true, version: "1.2.3" },
    });
    expect(Object.entries(originsIn(cluster)).filter(([field]) => field.startsWith("spec.addons"))).toEqual([
      ["spec.addons[nginx]", { value: "nginx", from: "team" }],
      ["spec.addons[cert-manager]", { value: "cert-manager", from: "team" }],
      ["spec.addons[longhorn]", { value: "longhorn", from: "team" }],
      ["spec.addons[kyverno]", { value: "kyverno", from: "environment" }],
    ]);
    const own = sent({ addons: { ingress: { provider: "traefik" } } });
    expect(filled({ cluster: own, team: team({ defaultAddons: ["nginx"] }) }).spec.addons.ingress?.provider).toBe(
      "traefik",
    );
  });

  it("has the requester as creator, and keeps a forged creator for validation to reject", () => {
    const { annotations: notes = {} } = filled().metadata;
    expect([notes[annotations.creatorEmail], notes[annotations.owner]]).toEqual([ada, ada]);
    const forged = filled({ cluster: sent({}, { annotations: { [annotations.owner]: "eve@example.com" } }) });
    expect(forged.metadata.annotations).toMatchObject({
      [annotations.creatorEmail]: ada,
      [annotations.owner]: "eve@example.com",
    });
  });

  it("is left unchanged when it violates the schema", () => {
    const wrong = { ...sent(), spec: { workers: { replicas: "many" } } } as unknown as TenantCluster;
    expect(filled({ cluster: wrong })).toBe(wrong);
  });

  it("is unchanged when defaulted again", () => {
    const once = filled({ team: team({ workerCount: 5 }) });
    const { [annotations.valueOrigins]: _noted, ...notes } = once.metadata.annotations ?? {};
    const again = filled({ team: team({ workerCount: 7 }), cluster: once });
    expect(again.spec).toEqual(once.spec);
    expect(again.metadata.annotations).toMatchObject(notes);
  });
});

describe("a change", () => {
  it("keeps defaulted values that it leaves out", () => {
    const before = aCluster({ spec: { workers: { replicas: 5, machineTemplate: { cpu: 8, memory: "1Gi" } } } });
    const after = filled({ before, cluster: sent() });
    expect(after.spec).toMatchObject({ ...before.spec });
    expect(after.metadata.annotations).toEqual(before.metadata.annotations);
  });

  it("does not change the recorded default add-ons of the cluster", () => {
    const before = filled({ team: team({ defaultAddons: ["kyverno"] }) });
    const forged = JSON.stringify({ "spec.addons[velero]": { value: "velero", from: "team" } });
    const cluster = sent({}, { annotations: { [annotations.valueOrigins]: forged, mine: "x" } });
    const after = filled({ before, cluster });
    expect(originsIn(after)).toEqual(originsIn(before));
    expect(after.metadata.annotations).toMatchObject({ mine: "x" });
  });

  it("applies the values that it sets", () => {
    const cluster = sent({ kubernetesVersion: "v1.36.1", workers: { replicas: 1 } });
    const after = filled({ before: aCluster(), cluster });
    expect([after.spec.kubernetesVersion, after.spec.workers.replicas]).toEqual(["v1.36.1", 1]);
  });

  it("adds no values that were never set", () => {
    const plain = sent();
    expect(JSON.parse(JSON.stringify(filled({ before: plain, cluster: plain })))).toEqual(plain);
  });
});
