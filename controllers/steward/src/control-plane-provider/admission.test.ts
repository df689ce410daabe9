import { type StewardControlPlane, StewardControlPlaneTemplate } from "@butler/api";
import { type InputOf, parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { controlPlaneAdmission, validateControlPlane, validateTemplate, withWholeVersion } from "./admission.ts";
import { aControlPlane } from "./testing/objects.ts";

type Spec = Partial<InputOf<typeof StewardControlPlane>["spec"]>;

const elsewhere = { kubeconfigSecretName: "a", kubeconfigSecretKey: "b", deploymentNamespace: "c" };
const both = { ingress: { hostname: "a.example.com" }, gateway: { hostname: "a.example.com" } };

const paths = (spec: Spec, earlier?: Spec) => {
  const oldObject = earlier && aControlPlane({ spec: earlier });
  return validateControlPlane({ object: aControlPlane({ spec }), oldObject }).map(({ path }) => path);
};

describe("a StewardControlPlane", () => {
  it.each<[string, Spec, readonly string[]]>([
    ["is as usual", {}, []],
    ["has a version without its v", { version: "1.36.3" }, []],
    ["has an unsupported newer version", { version: "v1.99.0" }, ["spec.version"]],
    ["names a store", { dataStoreName: "gold" }, []],
    [
      "sets its schema in the store",
      { dataStoreSchema: "x", dataStoreUsername: "y" },
      ["spec.dataStoreSchema", "spec.dataStoreUsername"],
    ],
    [
      "references an external cluster",
      { deployment: { externalClusterReference: elsewhere } },
      ["spec.deployment.externalClusterReference"],
    ],
    ["has both ingress and gateway", { network: both }, ["spec.network"]],
  ])("that %s can be created unless there is a fault", (_what, spec, expected) => {
    expect(paths(spec)).toEqual(expected);
  });

  it.each<[string, Spec, Spec, readonly string[]]>([
    ["nothing", {}, {}, []],
    ["the version by one minor", { version: "v1.35.4" }, { version: "v1.36.3" }, []],
    ["the version by a patch backwards", { version: "v1.36.3" }, { version: "v1.36.1" }, []],
    ["the version by two minors", { version: "v1.34.1" }, { version: "v1.36.3" }, ["spec.version"]],
    ["the version backwards", { version: "v1.36.3" }, { version: "v1.35.4" }, ["spec.version"]],
    ["only the spelling of an unsupported version", { version: "v1.20.1" }, { version: "1.20.1", replicas: 3 }, []],
    ["the store", { dataStoreName: "gold" }, { dataStoreName: "iron" }, ["spec.dataStoreName"]],
    ["the store to the default", { dataStoreName: "gold" }, {}, ["spec.dataStoreName"]],
    ["the store from the default", {}, { dataStoreName: "gold" }, []],
    ["the schema in the store", { dataStoreSchema: "x" }, { dataStoreSchema: "y" }, ["spec.dataStoreSchema"]],
    ["to a schema in the store", {}, { dataStoreUsername: "y" }, ["spec.dataStoreUsername"]],
    [
      "nothing about a schema that was already set",
      { dataStoreSchema: "x" },
      { dataStoreSchema: "x", replicas: 3 },
      [],
    ],
  ])("may change %s unless there is a fault", (_what, earlier, spec, expected) => {
    expect(paths(spec, earlier)).toEqual(expected);
  });

  it("rejects another upgrade before the current one completes", () => {
    const oldObject = aControlPlane({ spec: { version: "v1.35.4" }, status: { version: "v1.34.1" } });
    const to = (version: string) => validateControlPlane({ object: aControlPlane({ spec: { version } }), oldObject });
    expect(to("v1.36.3")).toEqual([expect.objectContaining({ path: "spec.version" })]);
    expect(to("v1.35.5")).toEqual([]);
  });

  it("accepts updates of an invalid object, so that its finalizer can be removed, and judges changes during deletion", () => {
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const object = aControlPlane({ spec: { version: "v1.99.0" }, deletionTimestamp });
    expect(validateControlPlane({ object, oldObject: object })).toEqual([]);
    expect(validateControlPlane({ object, oldObject: aControlPlane({ deletionTimestamp }) })).toHaveLength(1);
    expect(validateControlPlane({ object: undefined, oldObject: aControlPlane() })).toEqual([]);
  });

  it("gets the missing v of its version, and no other change", () => {
    const { spec, ...rest } = aControlPlane({ spec: { version: "1.36.3", replicas: 3 } });
    expect(withWholeVersion({ spec, ...rest })).toEqual({ ...rest, spec: { ...spec, version: "v1.36.3" } });
    const whole = aControlPlane();
    expect(withWholeVersion(whole)).toEqual(whole);
  });
});

describe("a StewardControlPlaneTemplate", () => {
  it.each<[string, object, readonly string[]]>([
    ["is as usual", {}, []],
    ["sets a schema in the store", { dataStoreSchema: "x" }, ["spec.template.spec.dataStoreSchema"]],
    ["has both ingress and gateway", { network: both }, ["spec.template.spec.network"]],
    [
      "references an external cluster",
      { deployment: { externalClusterReference: elsewhere } },
      ["spec.template.spec.deployment.externalClusterReference"],
    ],
  ])("that %s can be created unless there is a fault", (_what, spec, expected) => {
    const { apiVersion, kind } = StewardControlPlaneTemplate;
    const metadata = { name: "small", namespace: "default" };
    const object = parseObject(StewardControlPlaneTemplate, {
      apiVersion,
      kind,
      metadata,
      spec: { template: { spec } },
    });
    expect(validateTemplate({ object, oldObject: undefined }).map(({ path }) => path)).toEqual(expected);
  });
});

describe("the provider's admission", () => {
  it("handles each kind under its own path", () => {
    expect(controlPlaneAdmission.map(({ path }) => path)).toEqual([
      "/mutate-controlplane-cluster-x-k8s-io-v1alpha1-stewardcontrolplane",
      "/validate-controlplane-cluster-x-k8s-io-v1alpha1-stewardcontrolplane",
      "/validate-controlplane-cluster-x-k8s-io-v1alpha1-stewardcontrolplanetemplate",
    ]);
  });
});
