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
    ["has a version from the future", { version: "v1.99.0" }, ["spec.version"]],
    ["names a store", { dataStoreName: "gold" }, []],
    [
      "chooses its place in the store",
      { dataStoreSchema: "x", dataStoreUsername: "y" },
      ["spec.dataStoreSchema", "spec.dataStoreUsername"],
    ],
    [
      "is to run elsewhere",
      { deployment: { externalClusterReference: elsewhere } },
      ["spec.deployment.externalClusterReference"],
    ],
    ["has two ways in", { network: both }, ["spec.network"]],
  ])("that %s can be made unless there is a fault", (_what, spec, expected) => {
    expect(paths(spec)).toEqual(expected);
  });

  it.each<[string, Spec, Spec, readonly string[]]>([
    ["nothing", {}, {}, []],
    ["the version by one minor", { version: "v1.35.4" }, { version: "v1.36.3" }, []],
    ["the version by a patch backwards", { version: "v1.36.3" }, { version: "v1.36.1" }, []],
    ["the version by two minors", { version: "v1.34.1" }, { version: "v1.36.3" }, ["spec.version"]],
    ["the version backwards", { version: "v1.36.3" }, { version: "v1.35.4" }, ["spec.version"]],
    [
      "only the spelling of a version that is no longer made",
      { version: "v1.20.1" },
      { version: "1.20.1", replicas: 3 },
      [],
    ],
    ["the store", { dataStoreName: "gold" }, { dataStoreName: "iron" }, ["spec.dataStoreName"]],
    ["the store to the default", { dataStoreName: "gold" }, {}, ["spec.dataStoreName"]],
    ["the store from the default", {}, { dataStoreName: "gold" }, []],
    ["the place in the store", { dataStoreSchema: "x" }, { dataStoreSchema: "y" }, ["spec.dataStoreSchema"]],
    ["to a place in the store", {}, { dataStoreUsername: "y" }, ["spec.dataStoreUsername"]],
    ["nothing about a place that it was given", { dataStoreSchema: "x" }, { dataStoreSchema: "x", replicas: 3 }, []],
  ])("may change %s unless there is a fault", (_what, earlier, spec, expected) => {
    expect(paths(spec, earlier)).toEqual(expected);
  });

  it("may not go on to the next version before it has arrived at this one", () => {
    const oldObject = aControlPlane({ spec: { version: "v1.35.4" }, status: { version: "v1.34.1" } });
    const to = (version: string) => validateControlPlane({ object: aControlPlane({ spec: { version } }), oldObject });
    expect(to("v1.36.3")).toEqual([expect.objectContaining({ path: "spec.version" })]);
    expect(to("v1.35.5")).toEqual([]);
  });

  it("that is deleted may be changed to anything, so that its finalizer can come off", () => {
    const object = aControlPlane({ spec: { version: "v1.99.0" }, deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(validateControlPlane({ object, oldObject: aControlPlane() })).toEqual([]);
    expect(validateControlPlane({ object: undefined, oldObject: aControlPlane() })).toEqual([]);
  });

  it("gets the v that its version lacks, and nothing else", () => {
    const { spec, ...rest } = aControlPlane({ spec: { version: "1.36.3", replicas: 3 } });
    expect(withWholeVersion({ spec, ...rest })).toEqual({ ...rest, spec: { ...spec, version: "v1.36.3" } });
    const whole = aControlPlane();
    expect(withWholeVersion(whole)).toEqual(whole);
  });
});

describe("a StewardControlPlaneTemplate", () => {
  it.each<[string, object, readonly string[]]>([
    ["is as usual", {}, []],
    ["chooses a place in the store", { dataStoreSchema: "x" }, ["spec.template.spec.dataStoreSchema"]],
    ["has two ways in", { network: both }, ["spec.template.spec.network"]],
    [
      "is to run elsewhere",
      { deployment: { externalClusterReference: elsewhere } },
      ["spec.template.spec.deployment.externalClusterReference"],
    ],
  ])("that %s can be made unless there is a fault", (_what, spec, expected) => {
    const { apiVersion, kind } = StewardControlPlaneTemplate;
    const metadata = { name: "small", namespace: "default" };
    const object = parseObject(StewardControlPlaneTemplate, {
      apiVersion,
      kind,
      metadata,
      spec: { template: { spec } },
    });
    expect(validateTemplate({ object }).map(({ path }) => path)).toEqual(expected);
  });
});

describe("the provider's admission", () => {
  it("judges each kind under a path of its own", () => {
    expect(controlPlaneAdmission.map(({ path }) => path)).toEqual([
      "/mutate-controlplane-cluster-x-k8s-io-v1alpha1-stewardcontrolplane",
      "/validate-controlplane-cluster-x-k8s-io-v1alpha1-stewardcontrolplane",
      "/validate-controlplane-cluster-x-k8s-io-v1alpha1-stewardcontrolplanetemplate",
    ]);
  });
});
