import { DataStore, TenantControlPlane } from "@butler/api";
import type { AdmissionHandler } from "@butler/kube";
import { createAuthority, issueCertificate } from "@butler/pki";
import { describe, expect, it } from "vitest";
import { webhookConfigurations } from "./manifests.ts";
import { type KeptCertificates, planCertificates, servingRequest } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const years = (count: number): Date => new Date(now.getTime() + count * 365 * 86_400_000);
const request = servingRequest("butler-steward", "butler-system");

async function fresh(): Promise<KeptCertificates> {
  const authority = await createAuthority("test", { now });
  return { authority, trusted: authority.cert, serving: await issueCertificate(authority, request, { now }) };
}

describe("the certificates of a server that judges", () => {
  it("are made when there are none", () => {
    expect(planCertificates(undefined, request, now)).toBe("everything");
  });

  it.each([
    ["nothing is due at first", 0, "nothing"],
    ["the served one is renewed in its last third", 0.7, "serving"],
    ["the served one is renewed after its end", 2, "serving"],
    ["all are renewed in the authority's last third", 7, "everything"],
  ])("%s", async (_what, age, expected) => {
    expect(planCertificates(await fresh(), request, years(age))).toBe(expected);
  });

  it.each<[string, (kept: KeptCertificates, other: KeptCertificates) => KeptCertificates, string]>([
    ["signed by somebody else", (kept, other) => ({ ...kept, serving: other.serving }), "serving"],
    ["unreadable", (kept) => ({ ...kept, serving: { cert: "", key: "" } }), "serving"],
    [
      "without its key",
      (kept, other) => ({ ...kept, serving: { ...kept.serving, key: other.serving.key } }),
      "serving",
    ],
    ["of a broken authority", (kept) => ({ ...kept, authority: { cert: "x", key: "y" } }), "everything"],
  ])("one %s is replaced", async (_what, change, expected) => {
    expect(planCertificates(change(await fresh(), await fresh()), request, now)).toBe(expected);
  });

  it("one for another Service is replaced", async () => {
    expect(planCertificates(await fresh(), servingRequest("other", "butler-system"), now)).toBe("serving");
  });
});

describe("the configurations", () => {
  const validating: AdmissionHandler = { path: "/validate", kind: DataStore, validate: () => [] };
  const mutating: AdmissionHandler = { path: "/mutate", kind: TenantControlPlane, mutate: () => ({}) };
  const place = { name: "butler-steward", namespace: "butler-system", authorities: "PEM" };

  it("part those who change objects from those who only judge, and refuse in doubt", () => {
    const objects = webhookConfigurations([validating, mutating], place);
    expect(objects.map(({ kind }) => kind)).toEqual(["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]);
    for (const { webhooks } of objects as unknown as { webhooks: object[] }[]) {
      expect(webhooks).toMatchObject([
        {
          failurePolicy: "Fail",
          sideEffects: "NoneOnDryRun",
          clientConfig: { service: { name: "butler-steward" }, caBundle: btoa("PEM") },
        },
      ]);
    }
  });

  it("are left out where nobody is asked", () => {
    expect(webhookConfigurations([validating], place)).toHaveLength(1);
    expect(webhookConfigurations([], place)).toEqual([]);
  });
});
