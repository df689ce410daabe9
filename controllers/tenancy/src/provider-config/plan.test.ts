import type { ProviderConfig } from "@butler/api";
import type { Plan } from "@butler/controller";
import { mergeConditions } from "@butler/resource";
import { planFrozen, settleDeletion, settleToFixedPoint } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aNetworkPool, aProviderConfig } from "../shared/testing/objects.ts";
import { type Observed, plan } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const later = new Date("2026-02-01T00:00:00Z");
const network = { mode: "ipam", poolRefs: [{ name: "datacenter" }] };

function observedWith(change: Partial<Observed> = {}): Observed {
  return {
    config: aProviderConfig(),
    usedBy: [],
    credentialKeys: ["kubeconfig"],
    pools: [],
    hasTeam: true,
    platform: undefined,
    ...change,
  };
}

/** What the controller would see after the status was written. */
function settle(observed: Observed, { status, conditions }: Plan): Observed {
  if (status === undefined) return observed;
  const { config } = observed;
  const { generation } = config.metadata;
  const merged = mergeConditions({ current: [], stated: conditions ?? [], generation, now });
  const written = { ...status, observedGeneration: generation, conditions: merged };
  return {
    ...observed,
    config: { ...config, status: JSON.parse(JSON.stringify(written)) as ProviderConfig["status"] },
  };
}

const trialOf = (observed: Observed, at = now) => ({ plan, observed, now: at, settle });
const statusOf = (observed: Observed) => settleToFixedPoint(trialOf(observed)).observed.config.status;
const conditionsOf = (observed: Observed) =>
  statusOf(observed)?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`);

describe("a ProviderConfig", () => {
  it("with credentials is ready", () => {
    expect(statusOf(observedWith())).toMatchObject({
      ready: true,
      validated: true,
      lastValidationTime: "2026-01-01T00:00:00Z",
    });
    expect(conditionsOf(observedWith())).toEqual(["Ready True Ready", "CredentialsValid True Ready"]);
  });

  it("is not written again when nothing has changed", () => {
    const { observed } = settleToFixedPoint(trialOf(observedWith()));
    const decided = planFrozen(trialOf(observed, later), observed);
    expect([decided.status, decided.conditions]).toEqual([undefined, undefined]);
  });

  it("keeps the status fields of other writers", () => {
    const { observed } = settleToFixedPoint(trialOf(observedWith()));
    const status = { ...observed.config.status, providerVersion: "1.4" };
    expect(
      planFrozen(trialOf(observed), { ...observed, config: { ...observed.config, status } }).status,
    ).toBeUndefined();
  });

  it("without its Secret is not ready, and keeps the time of the last validation", () => {
    const { observed } = settleToFixedPoint(trialOf(observedWith()));
    expect(statusOf({ ...observed, credentialKeys: undefined })).toMatchObject({
      ready: false,
      validated: false,
      lastValidationTime: "2026-01-01T00:00:00Z",
    });
  });

  it("for a team that does not exist is not ready", () => {
    const config = aProviderConfig({ spec: { scope: { type: "team", teamRef: { name: "payments" } } } });
    const observed = observedWith({ config, hasTeam: false });
    expect(conditionsOf(observed)).toEqual(["Ready False ValidationFailed", "CredentialsValid True Ready"]);
    expect(statusOf(observed)).toMatchObject({ ready: false, validated: false });
  });

  it.each([
    ["of a team", { namespace: "payments" }, {}, "LocalNotAllowed"],
    ["of the platform for one team", {}, { scope: { type: "team", teamRef: { name: "payments" } } }, "LocalNotAllowed"],
    ["with an image that is not listed", {}, { local: { kindNodeImage: "evil.example/root:1" } }, "ImageNotAllowed"],
  ])("of type local %s is not ready", (_what, metadata, spec, reason) => {
    const { metadata: own } = aProviderConfig();
    const config = { ...aProviderConfig(), metadata: { ...own, ...metadata }, spec: { provider: "local", ...spec } };
    const observed = observedWith({ config: config as ProviderConfig, credentialKeys: undefined });
    expect(conditionsOf(observed)?.[0]).toBe(`Ready False ${reason}`);
    expect(statusOf(observed)).toMatchObject({ ready: false, validated: false });
  });

  it.each([
    ["with addresses", aNetworkPool(130), true, true, "PoolAvailable True PoolAvailable"],
    ["that is used up", aNetworkPool(0), false, true, "PoolAvailable False PoolExhausted"],
    ["without a reported capacity", aNetworkPool(), true, true, "PoolAvailable Unknown NotCounted"],
    ["that does not exist", undefined, false, false, "PoolAvailable False ValidationFailed"],
  ])("with a pool %s", (_which, pool, ready, validated, condition) => {
    const observed = observedWith({
      config: aProviderConfig({ spec: { network } }),
      pools: [{ name: "datacenter", pool }],
    });
    expect(statusOf(observed)).toMatchObject({ ready, validated });
    expect(conditionsOf(observed)).toContain(condition);
  });

  it("loses the PoolAvailable condition when it no longer has pools", () => {
    const pools = [{ name: "datacenter", pool: aNetworkPool(130) }];
    const { observed } = settleToFixedPoint(
      trialOf(observedWith({ config: aProviderConfig({ spec: { network } }), pools })),
    );
    const { status } = observed.config;
    const config = { ...aProviderConfig({ generation: 2 }), status };
    expect(conditionsOf({ ...observed, config, pools: [] })).toEqual([
      "Ready True Ready",
      "CredentialsValid True Ready",
    ]);
  });
});

describe("the deletion of a ProviderConfig", () => {
  const config = aProviderConfig({
    deletionTimestamp: "2026-01-01T00:00:00Z",
    finalizers: ["butler.butlerlabs.dev/providerconfig"],
  });

  it("waits for the clusters that use it, and lists them", () => {
    const observed = observedWith({ config, usedBy: ["payments/shop"] });
    expect(planFrozen(trialOf(observed), observed).finalizer).toBe("hold");
    const ready = statusOf(observed)?.conditions?.find(({ type }) => type === "Ready");
    expect(ready).toMatchObject({ status: "False", reason: "DeletionBlocked" });
    expect(ready?.message).toContain("payments/shop");
  });

  it("completes when no cluster uses it", () => {
    expect(settleDeletion(trialOf(observedWith({ config })))).toBeDefined();
  });
});

it("is always stable after one plan, and ready only with everything it needs", () => {
  const observed = fc.record({
    credentialKeys: fc.option(fc.subarray(["kubeconfig", "password"]), { nil: undefined }),
    hasTeam: fc.boolean(),
    free: fc.option(fc.nat(1_000), { nil: undefined }),
    usesPools: fc.boolean(),
  });
  fc.assert(
    fc.property(observed, ({ credentialKeys, hasTeam, free, usesPools }) => {
      const status = statusOf(
        observedWith({
          config: aProviderConfig({ spec: usesPools ? { network } : {} }),
          credentialKeys,
          hasTeam,
          pools: usesPools ? [{ name: "datacenter", pool: aNetworkPool(free) }] : [],
        }),
      );
      const isRight = credentialKeys?.includes("kubeconfig") === true && hasTeam;
      expect(status?.validated).toBe(isRight);
      expect(status?.ready).toBe(isRight && !(usesPools && free === 0));
    }),
  );
});
