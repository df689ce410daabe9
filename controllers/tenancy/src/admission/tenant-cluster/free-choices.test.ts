import { DataStore, labels } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { type Case, changed, check, judged, made } from "../testing/cluster-cases.ts";
import { aCluster, aConfig, ada, aPolicy, aProvider, clusterFacts, type Traits } from "../testing/objects.ts";
import type { TenantClusterInput } from "./input.ts";

type Facts = TenantClusterInput["facts"];

const admin = { requester: { username: ada, isTrusted: false, isPlatformAdmin: true } };
const known = (facts: Partial<Facts>): Partial<TenantClusterInput> => ({ facts: clusterFacts(facts) });

describe("settings instead of the provider's", () => {
  const harvester = (own: Record<string, string>): Traits => ({ spec: { infrastructureOverride: { harvester: own } } });
  const nutanix = (own: Record<string, string>): Traits => ({ spec: { infrastructureOverride: { nutanix: own } } });
  const block = { endpoint: "https://prism.example.com", clusterUUID: "c1", subnetUUID: "s1", imageUUID: "i1" };
  const onNutanix = known({ provider: aProvider({ spec: { provider: "nutanix", nutanix: block } }) });
  const allowing = (...allowedOverrides: string[]) => known({ provider: aProvider({ spec: { allowedOverrides } }) });
  const ruled = (mode: string) =>
    known({ policies: [aPolicy({ spec: { options: { network: { mode, values: ["a/b"], default: "a/b" } } } })] });
  const image: Traits = { spec: { workers: { machineTemplate: { os: { imageRef: "a/b" } } } } };

  it.each<Case>([
    [
      "a namespace",
      made(harvester({ namespace: "victim" })),
      "FORBIDDEN spec.infrastructureOverride.harvester.namespace",
    ],
    [
      "a network",
      made(harvester({ networkName: "a/b" })),
      "FORBIDDEN spec.infrastructureOverride.harvester.networkName",
    ],
    ["an image", made(harvester({ imageName: "a/b" })), "FORBIDDEN spec.infrastructureOverride.harvester.imageName"],
    ["an image of a pool", made(image), "FORBIDDEN spec.workers.machineTemplate.os.imageRef: a/b is not configured in"],
    ["added later", changed({}, harvester({ namespace: "victim" })), "FORBIDDEN"],
    ["a Nutanix cluster", { ...onNutanix, ...made(nutanix({ clusterUUID: "c2" })) }, "nutanix.clusterUUID: c2 is not"],
    ["a Nutanix subnet", { ...onNutanix, ...made(nutanix({ subnetUUID: "s2" })) }, "nutanix.subnetUUID"],
    ["a Nutanix image", { ...onNutanix, ...made(nutanix({ imageUUID: "i2" })) }, "nutanix.imageUUID"],
    ["a container", { ...onNutanix, ...made(nutanix({ storageContainerUUID: "x" })) }, "nutanix.storageContainerUUID"],
    ["the provider's own, spelt out", made(harvester({ networkName: "default/vlan40", imageName: "default/rocky" }))],
    ["nothing", made(harvester({ namespace: "" }))],
    ["of another infrastructure, without effect", made(nutanix({ clusterUUID: "c2" }))],
    ["by a platform administrator", { ...made(harvester({ namespace: "victim" })), ...admin }],
    [
      "kept since before the rule",
      changed(harvester({ namespace: "x" }), { spec: { ...harvester({ namespace: "x" }).spec, paused: true } }),
    ],
    [
      "while the provider does not exist",
      { ...known({ provider: undefined }), ...changed({}, harvester({ namespace: "x" })) },
      "NOT_FOUND spec.infrastructureOverride: ProviderConfig butler-system/harvester not found",
    ],
    ["that the provider allows", { ...allowing("namespace"), ...made(harvester({ namespace: "x" })) }],
    [
      "where the provider allows another",
      { ...allowing("imageName"), ...made(harvester({ namespace: "x" })) },
      "FORBIDDEN",
    ],
    ["that a policy allows", { ...ruled("allowList"), ...made(harvester({ networkName: "a/b" })) }],
    ["that a policy leaves free", { ...ruled("recommended"), ...made(harvester({ networkName: "c/d" })) }],
    ["that a policy does not allow", { ...ruled("allowList"), ...made(harvester({ networkName: "c/d" })) }, "POLICY"],
    [
      "an image that the provider leaves to the cluster",
      { ...known({ provider: aProvider({ spec: { harvester: { networkName: "a/b" } } }) }), ...made(image) },
    ],
    [
      "on the team's own provider",
      {
        ...known({
          provider: aProvider({ metadata: { namespace: "payments" } }),
          providerKey: { name: "harvester", namespace: "payments" },
        }),
        ...made({
          spec: {
            ...harvester({ namespace: "x" }).spec,
            providerConfigRef: { name: "harvester", namespace: "payments" },
          },
        }),
      },
    ],
  ])("%s", check);
});

describe("the image of a machine that is a pod of the management cluster", () => {
  const listed = `registry.example.com/butler-node@sha256:${"a".repeat(64)}`;
  const image = (imageRef: string): Traits => ({ spec: { workers: { machineTemplate: { os: { imageRef } } } } });
  const pool = (imageRef: string): Traits => ({
    spec: { workerPools: [{ name: "big", replicas: 1, machineTemplate: { os: { imageRef } } }] },
  });
  const on = (local: object = {}, metadata: object = {}) =>
    known({
      config: aConfig({ localMachines: { allowedImages: [listed] } }),
      provider: aProvider({ metadata, spec: { provider: "local", harvester: undefined, ...local } }),
    });

  it.each<Case>([
    ["the default", on()],
    ["a listed one", { ...on(), ...made(image(listed)) }],
    [
      "another one",
      { ...on(), ...made(image("evil.example/root:1")) },
      "NOT_ALLOWED spec.workers.machineTemplate.os.imageRef: image evil.example/root:1 is not in spec.localMachines",
    ],
    ["the listed one by its tag", { ...on(), ...made(image("registry.example.com/butler-node:v1")) }, "NOT_ALLOWED"],
    ["another one, by a platform administrator", { ...on(), ...made(image("evil:1")), ...admin }, "NOT_ALLOWED"],
    ["another one in a pool", { ...on(), ...made(pool("evil:1")) }, "spec.workerPools[0].machineTemplate.os.imageRef"],
    ["another one, later", { ...on(), ...changed({}, image("evil:1")) }, "NOT_ALLOWED"],
    [
      "one that is no longer listed",
      { ...on(), ...changed(image("old:1"), { spec: { ...image("old:1").spec, paused: true } }) },
    ],
    [
      "another one of the ProviderConfig",
      on({ local: { kindNodeImage: "evil:1" } }),
      "NOT_ALLOWED spec.providerConfigRef: image evil:1 is not in spec.localMachines.allowedImages",
    ],
  ])("%s", check);

  it("is never that of a team, because no ProviderConfig of a team offers such machines", () => {
    const own = { name: "harvester", namespace: "payments" };
    const input = { ...on({}, { namespace: "payments" }), ...made({ spec: { providerConfigRef: own } }) };
    const facts = { ...(input.facts as Facts), providerKey: own };
    expect(judged({ ...input, facts })).toEqual([
      expect.stringContaining("NOT_ALLOWED spec.providerConfigRef: provider local is available only to"),
    ]);
  });
});

describe("the DataStore of a cluster", () => {
  const gold: Traits = { spec: { controlPlane: { dataStoreRef: { name: "gold" } } } };
  const store = (metadata: object = {}): Partial<Facts> => ({
    dataStore: parseObject(DataStore, {
      apiVersion: DataStore.apiVersion,
      kind: DataStore.kind,
      metadata: { name: "gold", ...metadata },
      spec: { driver: "etcd", dedicated: {} },
    }),
  });
  const ofTeam = (team: string) => store({ labels: { [labels.team]: team } });

  it.each<Case>([
    ["the default one", {}],
    ["any", { ...known(store()), ...made(gold) }, "FORBIDDEN spec.controlPlane.dataStoreRef: gold is not available"],
    ["another team's", { ...known(ofTeam("web")), ...made(gold) }, "FORBIDDEN spec.controlPlane.dataStoreRef"],
    ["one that does not exist", made(gold), "FORBIDDEN spec.controlPlane.dataStoreRef: gold is not available"],
    ["the team's", { ...known(ofTeam("payments")), ...made(gold) }],
    ["any, by a platform administrator", { ...known(store()), ...made(gold), ...admin }],
    ["none, by a platform administrator", { ...made(gold), ...admin }, "NOT_FOUND spec.controlPlane.dataStoreRef"],
    [
      "one that is being deleted",
      { ...known(store({ deletionTimestamp: "2026-01-01T00:00:00Z" })), ...made(gold), ...admin },
      "NOT_ALLOWED spec.controlPlane.dataStoreRef: DataStore gold is being deleted",
    ],
    ["chosen later", { ...known(ofTeam("payments")), ...changed({}, gold), ...admin }, "IMMUTABLE"],
    ["kept", { ...known(store()), ...changed(gold, { spec: { ...gold.spec, paused: true } }) }],
  ])("%s", check);

  it("gives the same answer for a missing one and one of others, so that names cannot be probed", () => {
    const answers = [{ ...known(store()), ...made(gold) }, made(gold)].map((input) => judged(input));
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe("a pinned range of load balancer addresses", () => {
  const pinned = (end: string): Traits => ({
    spec: { networking: { loadBalancerPool: { start: "10.40.0.1", end } } },
  });
  const limited = (network: object = {}) =>
    known({
      provider: aProvider({
        spec: {
          network: { mode: "ipam", poolRefs: [{ name: "a" }], quotaPerTenant: { maxLoadBalancerIPs: 4 }, ...network },
        },
      }),
    });

  it.each<Case>([
    ["within the limit", { ...limited(), ...made(pinned("10.40.0.4")) }],
    [
      "beyond the limit",
      { ...limited(), ...made(pinned("10.40.0.5")) },
      "QUOTA spec.networking.loadBalancerPool: maxLoadBalancerIPs in the ProviderConfig is 4, 0 in use, 5 more requested",
    ],
    ["that grows beyond the limit", { ...limited(), ...changed(pinned("10.40.0.4"), pinned("10.40.3.4")) }, "QUOTA"],
    [
      "kept since before the limit",
      { ...limited(), ...changed(pinned("10.40.0.9"), { spec: { ...pinned("10.40.0.9").spec, paused: true } }) },
    ],
    ["without a limit", { ...limited({ quotaPerTenant: undefined }), ...made(pinned("10.40.3.4")) }],
    ["of a provider that manages its addresses", { ...limited({ mode: "cloud" }), ...made(pinned("10.40.3.4")) }],
  ])("%s", check);

  it("is compared as addresses, in IPv6 as well", () => {
    const loadBalancerPool = { start: "2001:db8::1", end: "2001:db8::1:0" };
    const cluster = aCluster({ spec: { networking: { loadBalancerPool } } });
    expect(judged({ ...limited(), cluster })).toEqual([expect.stringContaining("65536 more requested")]);
  });
});
