import type { ApiEndpoint, Cluster } from "@butler/api-external";
import type { Condition } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { findInfrastructureKind, infrastructureKinds, infrastructurePermissions } from "./infrastructure-kinds.ts";
import { type InfrastructureCluster, infrastructureToAsk, judgeInfrastructure } from "./infrastructure.ts";
import { contractVersion, readInfrastructureCluster } from "./ports/infrastructure-clusters.ts";
import { aCluster, aCondition, endpoint } from "./testing/objects.ts";

const group = "infrastructure.cluster.x-k8s.io";

function clusterOn(kind: string | undefined, apiGroup = group): Cluster {
  return aCluster({ spec: { infrastructureRef: kind === undefined ? undefined : { apiGroup, kind, name: "blue" } } });
}

const unannounced: InfrastructureCluster = { uid: "u", endpoint: undefined, isOurs: false, isProvisioned: false };
const announced: InfrastructureCluster = { ...unannounced, endpoint };
const elsewhere = { host: "192.0.2.1", port: 443 };

interface Case {
  readonly kind: string | undefined;
  readonly at?: ApiEndpoint | undefined;
  readonly found?: InfrastructureCluster | undefined;
  readonly earlier?: Condition;
}

const verdictOn = ({ kind, found, earlier, ...rest }: Case) =>
  judgeInfrastructure({
    cluster: clusterOn(kind),
    endpoint: "at" in rest ? rest.at : endpoint,
    found,
    earlier,
  });

describe("the infrastructure of a Cluster", () => {
  it.each<[string, Case, "True" | "False", string]>([
    ["nothing when the Cluster has none", { kind: undefined }, "True", "NoInfrastructure"],
    ["nothing when it reads the Cluster", { kind: "LocalCluster", at: undefined }, "True", "NotNeeded"],
    ["nothing when it is already set", { kind: "ProxmoxCluster", found: announced }, "True", "Patched"],
    [
      "nothing before the endpoint is published",
      { kind: "ProxmoxCluster", at: undefined },
      "False",
      "WaitingForEndpoint",
    ],
    ["nothing when it does not exist", { kind: "ProxmoxCluster" }, "False", "WaitingForInfrastructure"],
    ["nothing when its kind is unknown", { kind: "MoonCluster" }, "False", "UnsupportedInfrastructure"],
    [
      "nothing when only its author may set it",
      { kind: "Metal3Cluster", found: unannounced },
      "False",
      "EndpointMissing",
    ],
    ["nothing when its author has set it", { kind: "Metal3Cluster", found: announced }, "True", "Patched"],
    [
      "nothing when another endpoint is already set",
      { kind: "VSphereCluster", found: { ...unannounced, endpoint: elsewhere } },
      "False",
      "EndpointDiffers",
    ],
    [
      "nothing when it needs an address but the host is a name",
      { kind: "OpenStackCluster", at: { host: "blue.example.com", port: 443 }, found: unannounced },
      "False",
      "AddressNeeded",
    ],
    [
      "nothing a second time",
      { kind: "AWSCluster", earlier: aCondition("InfrastructureClusterPatched", { reason: "Patched" }) },
      "True",
      "Patched",
    ],
  ])("gets %s", (_what, given, status, reason) => {
    const { condition, effects } = verdictOn(given);
    expect(condition).toMatchObject({ type: "InfrastructureClusterPatched", status, reason });
    expect(effects).toEqual([]);
  });

  it.each<[string, Case, boolean]>([
    ["without an endpoint", { kind: "ProxmoxCluster", found: unannounced }, false],
    ["with a fixed address", { kind: "OpenStackCluster", found: unannounced }, false],
    ["that Steward manages, too", { kind: "KubevirtCluster", found: { ...unannounced, isOurs: true } }, true],
    [
      "that Steward manages and that is not provisioned",
      { kind: "KubevirtCluster", found: { ...announced, isOurs: true } },
      true,
    ],
  ])("gets the endpoint: one %s", (_what, given, isOurs) => {
    const { condition, effects } = verdictOn(given);
    expect(condition).toMatchObject({ status: "False", reason: "Patching" });
    expect(effects).toEqual([
      expect.objectContaining({
        type: "announceEndpoint",
        name: "blue",
        namespace: "default",
        uid: "u",
        endpoint,
        isOurs,
      }),
    ]);
  });

  it("managed by Steward is complete once it is provisioned", () => {
    const found = { ...announced, isOurs: true, isProvisioned: true };
    expect(verdictOn({ kind: "KubevirtCluster", found }).condition).toMatchObject({
      status: "True",
      reason: "Patched",
    });
  });

  it("is polled soon when missing, later when a user must act, and not at all when it never changes", () => {
    expect(verdictOn({ kind: "AWSCluster" }).requeueAfterMs).toBe(5_000);
    expect(verdictOn({ kind: "Metal3Cluster", found: unannounced }).requeueAfterMs).toBe(60_000);
    expect(verdictOn({ kind: "MoonCluster" }).requeueAfterMs).toBeUndefined();
  });

  it.each<[string, string | undefined, ApiEndpoint | undefined, Condition | undefined, boolean]>([
    ["when there is an endpoint to set", "AWSCluster", endpoint, undefined, true],
    ["when it did not exist", "AWSCluster", endpoint, aCondition("x", { status: "False" }), true],
    ["not before there is an endpoint", "AWSCluster", undefined, undefined, false],
    ["not again", "AWSCluster", endpoint, aCondition("x", { reason: "Patched" }), false],
    ["also when there was none before", "AWSCluster", endpoint, aCondition("x", { reason: "NoInfrastructure" }), true],
    ["not when it reads the Cluster", "LocalCluster", endpoint, undefined, false],
    ["not when its kind is unknown", "MoonCluster", endpoint, undefined, false],
    ["not when the Cluster has none", undefined, endpoint, undefined, false],
  ])("is asked %s", (_what, kind, at, earlier, isAsked) => {
    const asked = infrastructureToAsk({ cluster: clusterOn(kind), endpoint: at, earlier });
    expect(asked?.key).toEqual(isAsked ? { name: "blue", namespace: "default" } : undefined);
  });

  it("of another API group is not treated as a known kind", () => {
    expect(findInfrastructureKind({ apiGroup: "example.com", kind: "AWSCluster" })).toBeUndefined();
    expect(new Set(infrastructureKinds.map(({ kind }) => kind)).size).toBe(infrastructureKinds.length);
    expect(infrastructurePermissions[0]?.resources).not.toContain("localclusters");
  });
});

describe("another provider's infrastructure cluster", () => {
  const kindOf = (kind: string) => {
    const found = findInfrastructureKind({ apiGroup: group, kind });
    if (found === undefined) throw new Error(kind);
    return found;
  };
  const object = (kind: string, fields: object, annotations = {}) => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: "blue", uid: "u", annotations },
    ...fields,
  });

  it.each<[string, string, object, Partial<InfrastructureCluster>]>([
    [
      "the contract",
      "AWSCluster",
      { spec: { controlPlaneEndpoint: endpoint }, status: { ready: true } },
      { endpoint, isProvisioned: true },
    ],
    [
      "an empty endpoint",
      "AWSCluster",
      { spec: { controlPlaneEndpoint: { host: "", port: 0 } } },
      { endpoint: undefined, isProvisioned: false },
    ],
    ["half an endpoint", "AWSCluster", { spec: { controlPlaneEndpoint: { port: 6443 } } }, { endpoint: undefined }],
    ["nothing", "AWSCluster", {}, { endpoint: undefined, isOurs: false }],
    [
      "the newer contract",
      "VSphereCluster",
      { status: { initialization: { provisioned: true } } },
      { isProvisioned: true },
    ],
    ["OpenStack", "OpenStackCluster", { spec: { apiServerFixedIP: "10.0.0.7", apiServerPort: 6443 } }, { endpoint }],
  ])("is read by %s", (_what, kind, fields, expected) => {
    expect(readInfrastructureCluster(kindOf(kind), object(kind, fields))).toMatchObject(expected);
  });

  it.each([
    ["steward", true],
    ["another-controller", false],
  ])("managed by %s", (value, isOurs) => {
    const annotated = object("KubevirtCluster", {}, { "cluster.x-k8s.io/managed-by": value });
    expect(readInfrastructureCluster(kindOf("KubevirtCluster"), annotated).isOurs).toBe(isOurs);
  });

  const versions = (...names: string[]) =>
    names.map((name, at) => ({ name: name.replace("!", ""), served: !name.startsWith("!"), storage: at === 0 }));

  it.each<[string, Record<string, string>, object[], string | undefined]>([
    ["the newest contract", { v1beta1: "v1", v1beta2: "v2" }, versions("v1", "v2"), "v2"],
    ["the older contract", { v1beta1: "v1_v2" }, versions("v1", "v2"), "v2"],
    ["the contract's served version", { v1beta2: "v1_v2" }, versions("v1", "!v2"), "v1"],
    ["the storage version without labels", {}, versions("v3", "v2"), "v3"],
    ["a served version when the storage version is not served", {}, versions("!v3", "v2"), "v2"],
    ["none when no version is served", {}, versions("!v3"), undefined],
  ])("uses %s", (_what, contracts, served, expected) => {
    const labels = Object.fromEntries(
      Object.entries(contracts).map(([name, value]) => [`cluster.x-k8s.io/${name}`, value]),
    );
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "x", labels },
    };
    expect(contractVersion({ ...crd, spec: { versions: served } })).toBe(expected);
  });
});
