import { errorFromResponse } from "@butler/kube";
import { Forbidden, InvalidInput, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { explainRefusal, refusalReasons } from "./refusal.ts";

/** The error for a response of the API server. */
function answered(message: string, { status = 422, causes = [] as readonly object[] } = {}): unknown {
  const body = JSON.stringify({ message, details: { causes } });
  return errorFromResponse({ status, retryAfter: undefined, body, action: "create tenantclusters payments/x" });
}

describe("refusalReasons", () => {
  it.each([
    [
      'admission webhook "tc.butler" denied the request: spec.workers: team payments: maxTotalNodes is 2, 2 in use, 1 more requested; reduce usage or request a higher limit; team payments: maxClusters is 2, 2 in use, 1 more requested; reduce usage or request a higher limit; spec.teamRef.name: Team red not found',
      [
        "spec.workers: team payments: maxTotalNodes is 2, 2 in use, 1 more requested; reduce usage or request a higher limit",
        "team payments: maxClusters is 2, 2 in use, 1 more requested; reduce usage or request a higher limit",
        "spec.teamRef.name: Team red not found",
      ],
    ],
    [
      'TenantCluster.butler.butlerlabs.dev "x" is invalid: [spec.workers.replicas: Invalid value: 0: must be at least 1, spec.networking: Invalid value: podCIDR and serviceCIDR must not overlap]',
      [
        "spec.workers.replicas: Invalid value: 0: must be at least 1",
        "spec.networking: Invalid value: podCIDR and serviceCIDR must not overlap",
      ],
    ],
    [
      'TenantCluster in version "v1alpha1" cannot be handled as a TenantCluster: strict decoding error: unknown field "spec.worker"',
      ['unknown field "spec.worker"'],
    ],
    [
      'tenantclusters "blue" is forbidden: User "ada" cannot patch resource "tenantclusters" in the namespace "payments"',
      ['you cannot patch resource "tenantclusters" in the namespace "payments"'],
    ],
    ["something else\nand more", ["something else", "and more"]],
  ])("extracts them from the message %s", (message, reasons) => {
    expect(refusalReasons(answered(message))).toEqual(reasons);
  });

  it("uses the causes in the response, without duplicates", () => {
    const cause = { field: "spec.a", message: "one; spec.b: is not another" };
    const causes = [cause, cause, { field: "", message: "two" }];
    const error = answered('admission webhook "a" denied the request: x', { causes });
    expect(refusalReasons(error)).toEqual(["spec.a: one; spec.b: is not another", "two"]);
  });
});

describe("explainRefusal", () => {
  const denied = 'admission webhook "a" denied the request: spec.a: one; spec.b: two';

  it.each([
    [422, InvalidInput],
    [403, Forbidden],
  ])("puts each reason on its own line and keeps the error class: %s", (status, kind) => {
    const told = explainRefusal("scaling blue", answered(denied, { status }));
    expect(told).toBeInstanceOf(kind);
    expect(told).toMatchObject({
      message: "scaling blue was rejected:\n  spec.a: one\n  spec.b: two",
      hint: "Nothing was changed.",
      details: { status },
    });
  });

  it.each([
    new Unavailable("away"),
    new InvalidInput("no name", { hint: "name it" }),
    answered("away", { status: 503 }),
  ])("returns %s unchanged", (error) => {
    expect(explainRefusal("scaling blue", error)).toBe(error);
  });
});
