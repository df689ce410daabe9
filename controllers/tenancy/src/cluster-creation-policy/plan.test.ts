import type { Plan } from "@butler/controller";
import { planFrozen } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aPolicy, aTeam } from "../shared/testing/objects.ts";
import { conflictsOf } from "./conflicts.ts";
import { type Observed, plan } from "./plan.ts";

const ofTeam = { scope: { team: { teamRef: { name: "payments" } } } };
const ofEnvironment = {
  scope: { teamAndEnvironment: { teamRef: { name: "payments" }, environmentName: "dev" } },
};
const image = { image: { mode: "pin", values: ["default/flatcar"] } };
const network = { network: { mode: "pin", values: ["default/vlan40"] } };

function planOf(observed: Observed): Plan {
  return planFrozen({ plan, observed, now: new Date(0), settle: (same) => same }, observed);
}
const readyOf = (observed: Observed) => planOf(observed).conditions?.[0];

describe("a policy", () => {
  const team = aTeam({ spec: { environments: [{ name: "dev" }] } });
  it.each([
    ["for every team", aPolicy(), undefined, "True", "Ready"],
    ["for a team", aPolicy({ spec: ofTeam }), team, "True", "Ready"],
    ["for a team that is not there", aPolicy({ spec: ofTeam }), undefined, "False", "TeamMissing"],
    ["for an environment", aPolicy({ spec: ofEnvironment }), team, "True", "Ready"],
    ["for an environment that is not there", aPolicy({ spec: ofEnvironment }), aTeam(), "False", "EnvironmentMissing"],
  ])("%s", (_which, policy, found, status, reason) => {
    expect(readyOf({ policy, others: [policy], team: found })).toMatchObject({ type: "Ready", status, reason });
  });

  it("reports the policies it conflicts with, and the options", () => {
    const others = [aPolicy({ name: "later" }), aPolicy(), aPolicy({ name: "elsewhere", spec: ofTeam })];
    expect(readyOf({ policy: aPolicy(), others, team: undefined })).toMatchObject({
      status: "False",
      reason: "Conflict",
      message: "conflicts with other policies for every team on the same options: later (image); delete all but one",
    });
  });

  it("is in force again once the other one is being deleted", () => {
    const leaving = aPolicy({ name: "later", deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(readyOf({ policy: aPolicy(), others: [leaving], team: undefined })).toMatchObject({ status: "True" });
  });

  it("is not written again when nothing has changed", () => {
    const policy = aPolicy();
    const [ready] = planOf({ policy, others: [], team: undefined }).conditions ?? [];
    const condition = { ...ready, observedGeneration: 1, lastTransitionTime: "2026-01-01T00:00:00Z" };
    const told = aPolicy({ status: { observedGeneration: 1, conditions: [condition] } });
    expect(planOf({ policy: told, others: [], team: undefined })).toMatchObject({ finalizer: "none", events: [] });
    expect(planOf({ policy: told, others: [], team: undefined }).conditions).toBeUndefined();
  });
});

describe("conflictsOf", () => {
  it.each([
    ["the same choice", { options: image }, ["image"]],
    ["another choice", { options: network }, undefined],
    ["both", { options: { ...network, ...image } }, ["image"]],
    ["another provider", { options: image, targetProviders: ["nutanix"] }, undefined],
    ["a provider in common", { options: image, targetProviders: ["nutanix", "harvester"] }, ["image"]],
    ["every provider", { options: image, targetProviders: [] }, ["image"]],
    ["a narrower scope", { options: image, ...ofTeam }, undefined],
  ])("considers %s", (_what, spec, options) => {
    const policy = aPolicy({ spec: { targetProviders: ["harvester"] } });
    const expected = options === undefined ? [] : [{ name: "other", options }];
    expect(conflictsOf(policy, [policy, aPolicy({ name: "other", spec })])).toEqual(expected);
  });

  it("reports a conflict on both sides", () => {
    const provider = fc.subarray(["harvester", "nutanix", "local"]);
    const options = fc.constantFrom(image, network, { ...image, ...network });
    const scope = fc.constantFrom(ofTeam, ofEnvironment, {});
    const policy = fc.record({ provider, options, scope });
    fc.assert(
      fc.property(policy, policy, (left, right) => {
        const [one, other] = [left, right].map((each, at) =>
          aPolicy({ name: `p${at}`, spec: { ...each.scope, options: each.options, targetProviders: each.provider } }),
        );
        if (one === undefined || other === undefined) throw new Error("two policies were made");
        const [there, back] = [conflictsOf(one, [other]), conflictsOf(other, [one])];
        expect(there.map((conflict) => conflict.options)).toEqual(back.map((conflict) => conflict.options));
      }),
    );
  });
});
