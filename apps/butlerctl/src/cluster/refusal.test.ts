import { AlreadyExists } from "@butler/kube";
import { ButlerError, Forbidden, InvalidInput, NotFound, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { explainCreation } from "./create.ts";
import { explainRefusal, refusalOf } from "@butler/changes";

describe("refusalOf", () => {
  it.each([
    [
      new InvalidInput(
        'create tenantclusters: admission webhook "tc.butler" denied the request: spec.workers: team payments: maxTotalNodes is 2, 2 in use, 1 more asked for; free some, or ask for a higher limit; team payments: maxClusters is 2, 2 in use, 1 more asked for; free some, or ask for a higher limit; spec.teamRef.name: there is no Team red',
      ),
      {
        by: "webhook",
        reasons: [
          "spec.workers: team payments: maxTotalNodes is 2, 2 in use, 1 more asked for; free some, or ask for a higher limit",
          "team payments: maxClusters is 2, 2 in use, 1 more asked for; free some, or ask for a higher limit",
          "spec.teamRef.name: there is no Team red",
        ],
      },
    ],
    [
      new InvalidInput(
        'create: TenantCluster.butler.butlerlabs.dev "x" is invalid: [spec.workers.replicas: Invalid value: 0: must be at least 1, spec.networking: Invalid value: podCIDR and serviceCIDR must not overlap]',
      ),
      {
        by: "schema",
        reasons: [
          "spec.workers.replicas: Invalid value: 0: must be at least 1",
          "spec.networking: Invalid value: podCIDR and serviceCIDR must not overlap",
        ],
      },
    ],
    [
      new InvalidInput(
        'create: TenantCluster in version "v1alpha1" cannot be handled as a TenantCluster: strict decoding error: unknown field "spec.worker"',
      ),
      { by: "schema", reasons: ['unknown field "spec.worker"'] },
    ],
    [
      new Forbidden(
        'patch: tenantclusters "blue" is forbidden: User "ada" cannot patch resource "tenantclusters" in the namespace "payments"',
      ),
      { by: "access", reasons: ['you may not patch resource "tenantclusters" in the namespace "payments"'] },
    ],
    [new InvalidInput("something else"), { by: "other", reasons: ["something else"] }],
    [new Unavailable("the API server is away"), undefined],
  ])("takes %s apart", (error, refusal) => {
    expect(refusalOf(error)).toEqual(refusal);
  });
});

describe("explainRefusal", () => {
  it("has each reason on a line of its own", () => {
    const error = new InvalidInput('admission webhook "a" denied the request: spec.a: one; spec.b: two');
    expect(explainRefusal("scaling blue", error)).toMatchObject({
      message: "scaling blue is refused:\n  spec.a: one\n  spec.b: two",
      hint: "Nothing was changed.",
    });
  });

  it("leaves other errors as they are", () => {
    const error = new Unavailable("away");
    expect(explainRefusal("scaling blue", error)).toBe(error);
  });
});

describe("explainCreation", () => {
  it.each([
    [new AlreadyExists("x"), 'there is a cluster "blue" in namespace payments already'],
    [new NotFound("x"), "there is no namespace payments to make the cluster in"],
    [new InvalidInput('admission webhook "a" denied the request: no'), "the cluster blue is refused:\n  no"],
  ])("says what %s means", (error, message) => {
    const told = explainCreation(error, { name: "blue", namespace: "payments" });
    expect(told).toBeInstanceOf(ButlerError);
    expect(told).toMatchObject({ message });
  });
});
