import { createAuthority, issueCertificate, readCertificate } from "@butler/pki";
import { describe, expect, it } from "vitest";
import { aControlPlane } from "../testing/objects.ts";
import { judgeSecret } from "./judge-secret.ts";
import { makeSecretData } from "./make-secret-data.ts";
import { issueSettings, secretBlueprints, type SecretContent } from "./secret-blueprint.ts";
import { clientOfKubeconfig, encodeData, pairIn, textIn, withServer } from "./secret-data.ts";
import { isSecretOfSteward, secretIds, secretName } from "./secret-names.ts";

const now = new Date("2026-06-01T12:00:00Z");
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const issue = issueSettings(aControlPlane());
const reach = { server: "https://203.0.113.9:6443", dnsNames: ["blue.example.com"], ipAddresses: ["203.0.113.9"] };

function contentOf(id: string): SecretContent {
  const store = { dataStore: "shared", user: "tenant-1", ownEtcd: undefined };
  const found = secretBlueprints({ tcp: aControlPlane(), reach, store }).find((blueprint) => blueprint.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found.content;
}

describe("the Secrets of a control plane", () => {
  it.each(["ca", "frontProxyCA", "sa", "apiServer", "frontProxyClient", "admin", "scheduler", "dataStore"])(
    "are valid when new: %s",
    async (id) => {
      const signer = await createAuthority("signer", { now });
      const content = contentOf(id);
      const data = await makeSecretData(content, { issue, now, signer });
      const authority = id === "ca" || id === "frontProxyCA" || id === "sa" ? undefined : signer.cert;
      expect(judgeSecret(content, data, { authority, now }).fault).toBeUndefined();
    },
  );

  it("have the keys, names and groups that others rely on", async () => {
    const signer = await createAuthority("signer", { now });
    const made = (id: string) => makeSecretData(contentOf(id), { issue, now, signer });
    expect(Object.keys(await made("ca")).sort()).toEqual(["ca.crt", "ca.key", "tls.crt", "tls.key"]);
    expect(Object.keys(await made("sa")).sort()).toEqual(["sa.key", "sa.pub"]);
    expect(Object.keys(await made("dataStore")).sort()).toEqual(["ca.crt", "server.crt", "server.key"]);
    const admin = await made("admin");
    expect(Object.keys(admin).sort()).toEqual(["admin.conf", "admin.svc", "super-admin.conf", "super-admin.svc"]);
    const subject = (file: string) => {
      const { commonName, organizations } = readCertificate(clientOfKubeconfig(textIn(admin, file) ?? "").cert);
      return { commonName, organizations };
    };
    expect(subject("admin.conf")).toEqual({
      commonName: "kubernetes-admin",
      organizations: ["kubeadm:cluster-admins"],
    });
    expect(subject("super-admin.svc")).toEqual({
      commonName: "kubernetes-super-admin",
      organizations: ["system:masters"],
    });
    expect(textIn(admin, "admin.conf")).toContain("server: https://203.0.113.9:6443");
    expect(textIn(admin, "admin.svc")).toContain("server: https://blue.tenants.svc:6443");
    expect(readCertificate(textIn(await made("dataStore"), "server.crt") ?? "").commonName).toBe("tenant-1");
  });

  it("use the configured key algorithm", async () => {
    const rsa = issueSettings(aControlPlane({ spec: { certificates: { algorithm: "RSA" } } }));
    const data = await makeSecretData(contentOf("frontProxyCA"), { issue: rsa, now });
    const { cert } = pairIn(data, { cert: "front-proxy-ca.crt", key: "front-proxy-ca.key" });
    const { X509Certificate } = await import("node:crypto");
    expect(new X509Certificate(cert).publicKey.asymmetricKeyType).toBe("rsa");
  });

  it("have the configured lifetime", async () => {
    const short = issueSettings(
      aControlPlane({ spec: { certificates: { lifetime: "24h", authorityLifetime: "48h" } } }),
    );
    const signer = await createAuthority("signer", { now });
    const data = await makeSecretData(contentOf("apiServer"), { issue: short, now, signer });
    expect(readCertificate(textIn(data, "apiserver.crt") ?? "").notAfter).toEqual(later(1));
    const ca = await makeSecretData(contentOf("ca"), { issue: short, now });
    expect(readCertificate(textIn(ca, "ca.crt") ?? "").notAfter).toEqual(later(2));
  });
});

describe("judgeSecret", () => {
  it("replaces a certificate in the last third of its lifetime, and a CA only shortly before it expires", async () => {
    const signer = await createAuthority("signer", { now });
    const leaf = await makeSecretData(contentOf("apiServer"), { issue, now, signer });
    const judgedLeaf = (at: Date) => judgeSecret(contentOf("apiServer"), leaf, { authority: signer.cert, now: at });
    expect(judgedLeaf(later(243)).fault).toBeUndefined();
    expect(judgedLeaf(later(244)).fault).toContain("is due for renewal");
    expect(judgedLeaf(later(400)).fault).toBeDefined();
    const authority = await makeSecretData(contentOf("ca"), { issue, now });
    const judgedAuthority = (at: Date) => judgeSecret(contentOf("ca"), authority, { now: at });
    expect(judgedAuthority(later(3648)).fault).toBeUndefined();
    expect(judgedAuthority(later(3649.5)).fault).toBeDefined();
  });

  it("replaces an expired CA", async () => {
    const old = await makeSecretData(contentOf("ca"), { issue, now });
    const kept = await makeSecretData(contentOf("ca"), { issue, now: later(30), present: old });
    expect(kept).toEqual(old);
    const replaced = await makeSecretData(contentOf("ca"), { issue, now: later(4000), present: old });
    expect(textIn(replaced, "ca.crt")).not.toBe(textIn(old, "ca.crt"));
  });

  it("accepts a CA that a user provides under Cluster API's names", async () => {
    const { cert, key } = await createAuthority("mine", { now });
    const present = encodeData({ "tls.crt": cert, "tls.key": key });
    expect(judgeSecret(contentOf("ca"), present, { now }).fault).toBeDefined();
    const data = await makeSecretData(contentOf("ca"), { issue, now, present });
    expect(textIn(data, "ca.crt")).toBe(cert);
    expect(judgeSecret(contentOf("ca"), data, { now }).fault).toBeUndefined();
  });

  it("rejects a leaf certificate as CA", async () => {
    const signer = await createAuthority("signer", { now });
    const { cert, key } = await issueCertificate(signer, { commonName: "leaf", usages: ["server"] }, { now });
    const data = encodeData({ "ca.crt": cert, "ca.key": key, "tls.crt": cert, "tls.key": key });
    expect(judgeSecret(contentOf("ca"), data, { now }).fault).toBe("the certificate is not a CA certificate");
  });

  it("detects that the DataStore's CA has changed", async () => {
    const [signer, other] = [await createAuthority("signer", { now }), await createAuthority("other", { now })];
    const data = await makeSecretData(contentOf("dataStore"), { issue, now, signer });
    const judged = (authority: string | undefined) =>
      judgeSecret(contentOf("dataStore"), data, { authority, now }).fault;
    expect(judged(signer.cert)).toBeUndefined();
    expect(judged(undefined)).toBeUndefined();
    expect(judged(other.cert)).toBe("the DataStore's CA has changed");
  });
});

describe("names of Secrets", () => {
  it("are distinguished from names of others", () => {
    for (const id of secretIds) expect(isSecretOfSteward(secretName({ name: "green" }, id))).toBe(true);
    expect(isSecretOfSteward("audit-webhook")).toBe(false);
  });

  it("change only the server of a kubeconfig", () => {
    const text = "clusters:\n  - name: blue\n    cluster:\n      server: https://a\nusers: []\n";
    expect(withServer(text, "https://b")).toBe(text.replace("https://a", "https://b"));
  });
});
