import { DataStore, TenantControlPlane } from "@butler/api";
import type { AdmissionHandler } from "@butler/kube";
import { createAuthority, issueCertificate } from "@butler/pki";
import { describe, expect, it } from "vitest";
import { askedAnnotation, emptyConfigurations, webhookConfigurations } from "./manifests.ts";
import { isToBePutRight, type KeptCertificates, planCertificates, servingRequest } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const years = (count: number): Date => new Date(now.getTime() + count * 365 * 86_400_000);
const request = servingRequest("butler-steward", "butler-system");

async function fresh(): Promise<KeptCertificates> {
  const authority = await createAuthority("test", { now });
  return { authority, trusted: authority.cert, serving: await issueCertificate(authority, request, { now }) };
}

describe("the certificates of an admission server", () => {
  it("are created when none exist", () => {
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
    ["signed by another CA", (kept, other) => ({ ...kept, serving: other.serving }), "serving"],
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
  const metadata = { name: "butler-steward", uid: "1" };
  const owner = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata };
  const place = { name: "butler-steward", namespace: "butler-system", authorities: "PEM", owner };

  it("separate mutating from validating webhooks, and fail closed", () => {
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

  it("are omitted when no handler is registered", () => {
    expect(webhookConfigurations([validating], place)).toHaveLength(1);
    expect(webhookConfigurations([], place)).toEqual([]);
  });

  it("have an owner reference and set no labels, which are left to the installer", () => {
    for (const { metadata: stated } of webhookConfigurations([validating, mutating], place)) {
      expect(stated).toEqual({
        name: "butler-steward",
        annotations: { [askedAnnotation]: expect.stringMatching(/^[0-9a-f]+$/) },
        ownerReferences: [{ apiVersion: owner.apiVersion, kind: "ClusterRole", name: "butler-steward", uid: "1" }],
      });
    }
  });

  it("are installed under the same names, without webhooks", () => {
    const brought = emptyConfigurations("butler-steward");
    const filled = webhookConfigurations([validating, mutating], place);
    const keys = (objects: readonly { kind: string; metadata: { name: string } }[]) =>
      objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`);
    expect(keys(brought)).toEqual(keys(filled));
    for (const object of brought) expect(object).not.toHaveProperty("webhooks");
  });

  const [wanted = expect.fail("none")] = webhookConfigurations([validating], place);
  const live = { ...wanted, metadata: { ...wanted.metadata, uid: "2", labels: { a: "b" } } };
  const [webhook] = wanted["webhooks"] as object[];
  const [ofOtherVersion] = webhookConfigurations([{ ...validating, path: "/other" }], place);
  const [ofOtherAuthority] = webhookConfigurations([validating], { ...place, authorities: "OTHER" });

  it.each([
    ["as specified", live, false],
    ["with what the API server adds", { ...live, webhooks: [{ ...webhook, namespaceSelector: {} }] }, false],
    ["deleted", undefined, true],
    ["as installed, without webhooks", emptyConfigurations("butler-steward")[1], true],
    ["emptied", { ...live, webhooks: [] }, true],
    ["lenient", { ...live, webhooks: [{ ...webhook, failurePolicy: "Ignore" }] }, true],
    ["calling another webhook, too", { ...live, webhooks: [webhook, { ...webhook, name: "other" }] }, true],
    ["without an owner", { ...live, metadata: { ...live.metadata, ownerReferences: [] } }, true],
    ["trusting another authority", ofOtherAuthority, true],
    ["of another version", ofOtherVersion, false],
  ])("are reconciled only when needed: %s", (_what, found, isWrong) => {
    expect(isToBePutRight(found, wanted)).toBe(isWrong);
  });
});
