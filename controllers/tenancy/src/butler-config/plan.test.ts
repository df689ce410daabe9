import type { ButlerConfig } from "@butler/api";
import type { Plan } from "@butler/controller";
import { type DynamicObject, findCondition, mergeConditions } from "@butler/resource";
import { planFrozen, settleToFixedPoint } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { aButlerConfig, aCluster, aProviderConfig } from "../shared/testing/objects.ts";
import { type Observed, plan } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");

function configWith(mode: string, spec: object = {}): ButlerConfig {
  return aButlerConfig({ spec: { multiTenancy: { mode }, ...spec } });
}

function observedWith(change: Partial<Observed> = {}): Observed {
  return {
    config: configWith("Optional"),
    teamCount: 0,
    clusters: [],
    namespace: undefined,
    provider: undefined,
    ...change,
  };
}

function settle(observed: Observed, { apply = [], status, conditions }: Plan): Observed {
  const { config } = observed;
  const { generation } = config.metadata;
  const [made] = apply;
  const note = { annotations: { "applied.butler.butlerlabs.dev/butler-config": "0123" } };
  const namespace =
    made === undefined
      ? observed.namespace
      : ({ ...made, metadata: { ...made.metadata, ...note } } as unknown as DynamicObject);
  if (status === undefined) return { ...observed, namespace };
  const merged = mergeConditions({ current: config.status?.conditions, stated: conditions ?? [], generation, now });
  const written = { ...config.status, ...status, observedGeneration: generation, conditions: merged };
  return { ...observed, namespace, config: { ...config, status: written } };
}

const trialOf = (observed: Observed) => ({ plan, observed, now, settle });
const atRest = (change: Partial<Observed> = {}) => settleToFixedPoint(trialOf(observedWith(change))).observed;
const conditionOf = ({ config }: Observed, type: string) => findCondition(config.status?.conditions, type);
const namespaceWith = (metadata: object): DynamicObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "butler-tenants", ...metadata },
});

describe("the namespace of clusters without a team", () => {
  it.each([
    ["Optional", "butler-tenants"],
    ["Disabled", "butler-tenants"],
    ["Enforced", undefined],
  ])("in mode %s is %s", (mode, name) => {
    const observed = atRest({ config: configWith(mode) });
    expect(observed.namespace?.metadata.name).toBe(name);
    expect(conditionOf(observed, "Ready")).toMatchObject({ status: "True" });
  });

  it("is not deleted with the settings", () => {
    expect(atRest().namespace?.metadata.ownerReferences).toEqual([]);
    const enforced = { ...atRest(), config: configWith("Enforced") };
    expect(planFrozen(trialOf(enforced), enforced).remove ?? []).toEqual([]);
  });

  it("is used unchanged when another owner created it", () => {
    const observed = atRest({ namespace: namespaceWith({ labels: { team: "us" } }) });
    expect(observed.namespace?.metadata).toEqual({ name: "butler-tenants", labels: { team: "us" } });
    expect(conditionOf(observed, "Ready")).toMatchObject({ status: "True" });
  });

  it("is waited for while it is being deleted", () => {
    const observed = atRest({ namespace: namespaceWith({ deletionTimestamp: "2026-01-01T00:00:00Z" }) });
    expect(conditionOf(observed, "Ready")).toMatchObject({ status: "False", reason: "NamespaceTerminating" });
  });
});

describe("the status of the settings", () => {
  it.each([
    [undefined, "LoadBalancer", false],
    [{ mode: "Ingress", hostname: "*.k8s.example.com" }, "Ingress", true],
    [{ mode: "Gateway", hostname: "*.k8s.example.com", gatewayRef: "gw/main" }, "Gateway", true],
  ])("has counts, and for exposure %o the mode %s", (controlPlaneExposure, mode, tcpProxyRequired) => {
    const config = configWith("Enforced", { controlPlaneExposure });
    expect(atRest({ config, teamCount: 2, clusters: [aCluster()] }).config.status).toMatchObject({
      teamCount: 2,
      clusterCount: 1,
      controlPlaneExposureMode: mode,
      tcpProxyRequired,
    });
  });

  it("keeps the fields that others write about the Git host", () => {
    const observed = atRest();
    const status = { ...observed.config.status, gitProvider: { connected: true } };
    const decided = planFrozen(trialOf(observed), { ...observed, config: { ...observed.config, status } });
    expect(decided.status).toBeUndefined();
  });

  it("with another name are reported as unused and have no effect", () => {
    const stray = observedWith({ config: aButlerConfig({ name: "second" }) });
    const decided = planFrozen(trialOf(stray), stray);
    expect(decided.apply ?? []).toEqual([]);
    expect(decided.conditions).toMatchObject([{ type: "Ready", status: "False", reason: "InvalidName" }]);
  });
});

describe("settings that are inconsistent with existing objects", () => {
  it("report a missing default provider", () => {
    const config = configWith("Enforced", { defaultProviderConfigRef: { name: "harvester" } });
    expect(conditionOf(atRest({ config }), "Degraded")).toMatchObject({
      status: "True",
      reason: "DefaultProviderMissing",
    });
    expect(conditionOf(atRest({ config, provider: aProviderConfig() }), "Degraded")).toMatchObject({ status: "False" });
  });

  const teamless = { spec: { teamRef: undefined } };
  it.each([
    ["Enforced", aCluster(), undefined],
    ["Enforced", aCluster({ ...teamless, namespace: "butler-tenants" }), "butler-tenants/shop"],
    ["Optional", aCluster(), undefined],
    ["Optional", aCluster({ ...teamless, namespace: "butler-tenants" }), undefined],
    ["Optional", aCluster({ ...teamless, namespace: "elsewhere" }), "elsewhere/shop"],
    ["Disabled", aCluster({ ...teamless, namespace: "butler-tenants" }), undefined],
    ["Disabled", aCluster(), "payments/shop"],
  ])("in mode %s report misplaced clusters (%#)", (mode, cluster, misplaced) => {
    const degraded = conditionOf(atRest({ config: configWith(mode), clusters: [cluster] }), "Degraded");
    expect(degraded?.status).toBe(misplaced === undefined ? "False" : "True");
    if (misplaced !== undefined) expect(degraded?.message).toContain(misplaced);
  });
});
