import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createAuthority, createSigningKey, issueCertificate, signingKeyFrom } from "./certificates.ts";

describe("issueCertificate", () => {
  it("issues a server certificate that the authority vouches for", async () => {
    const authority = await createAuthority("an authority");
    const pair = await issueCertificate(authority, {
      commonName: "server",
      usages: ["server"],
      dnsNames: ["localhost", "kubernetes.default.svc"],
      ipAddresses: ["127.0.0.1", "::1"],
    });
    const [ca, certificate] = [new X509Certificate(authority.cert), new X509Certificate(pair.cert)];
    expect(ca.ca).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(certificate.checkIssued(ca)).toBe(true);
    expect(certificate.checkHost("kubernetes.default.svc")).toBe("kubernetes.default.svc");
    expect(certificate.checkHost("elsewhere.example")).toBeUndefined();
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(certificate.checkIP("::1")).toBe("::1");
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  });

  it("carries a user and groups, whatever characters they have", async () => {
    const groups = ["system:masters", "a,b=c+d", "größe"];
    const request = { commonName: "system:admin", organizations: groups, usages: ["client"] as const };
    const { cert } = await issueCertificate(await createAuthority("an authority"), request);
    const subject = new X509Certificate(cert).toLegacyObject().subject;
    expect(subject).toMatchObject({ CN: "system:admin", O: groups });
  });

  it("is valid from a little before now for a year", async () => {
    const now = new Date("2030-01-01T00:00:00Z");
    const authority = await createAuthority("an authority", now);
    const { cert } = await issueCertificate(authority, { commonName: "x", usages: ["client"] }, now);
    const certificate = new X509Certificate(cert);
    expect(certificate.validFromDate).toEqual(new Date("2029-12-31T23:55:00Z"));
    expect(certificate.validToDate).toEqual(new Date("2031-01-01T00:00:00Z"));
  });
});

describe("createSigningKey", () => {
  it("can be completed from its private half", () => {
    const key = createSigningKey();
    expect(signingKeyFrom(key.privateKey)).toEqual(key);
  });
});
