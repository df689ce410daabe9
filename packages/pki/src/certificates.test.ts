import { InvalidInput, normaliseIpAddress } from "@butler/std";
import fc from "fast-check";
import { X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { readCertificate, renewalTime } from "./certificate-facts.ts";
import { type CertificatePair, type CertificateRequest, createAuthority, issueCertificate } from "./certificates.ts";
import { faultOf } from "./fault.ts";
import { certificateRequests } from "./testing/arbitrary-requests.ts";

const now = new Date("2030-01-01T00:00:00Z");
const dayMs = 86_400_000;
const client: CertificateRequest = { commonName: "x", usages: ["client"] };
let authority: CertificatePair;

beforeAll(async () => {
  authority = await createAuthority("an authority", { now });
});

describe("createAuthority", () => {
  it("creates a self-signed CA that is valid for ten years", () => {
    const certificate = new X509Certificate(authority.cert);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(readCertificate(authority.cert)).toMatchObject({
      commonName: "an authority",
      organizations: [],
      usages: [],
      isAuthority: true,
      notBefore: new Date("2029-12-31T23:55:00Z"),
      notAfter: new Date(now.getTime() + 3_650 * dayMs),
      fingerprint: certificate.fingerprint256,
    });
  });
});

describe("issueCertificate", () => {
  it("issues a server certificate that the CA verifies", async () => {
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

  it("encodes a user and groups with any characters", async () => {
    const groups = ["system:masters", "a,b=c+d", "größe", "#313233", 'a"b"c', String.raw`a\,b`];
    const request = { commonName: "system:admin", organizations: groups, usages: ["client"] as const };
    const { cert } = await issueCertificate(authority, request);
    const subject = new X509Certificate(cert).toLegacyObject().subject;
    expect(subject).toMatchObject({ CN: "system:admin", O: groups });
  });

  it("encodes the request in the certificate, and the pair is valid", async () => {
    await fc.assert(
      fc.asyncProperty(
        certificateRequests,
        fc.date({ min: new Date("1951-01-01"), max: new Date("2180-01-01"), noInvalidDate: true }),
        fc.integer({ min: 10_000, max: 20 * 365 * dayMs }),
        async (request, at, lifetimeMs) => {
          const signer = await createAuthority("an authority", { now: at, lifetimeMs: 15 * 365 * dayMs });
          const pair = await issueCertificate(signer, request, { now: at, lifetimeMs });
          const facts = readCertificate(pair.cert);
          expect(facts).toMatchObject({
            commonName: request.commonName,
            organizations: request.organizations,
            usages: request.usages,
            dnsNames: [...new Set(request.dnsNames)],
            ipAddresses: [...new Set((request.ipAddresses ?? []).map(normaliseIpAddress))],
            isAuthority: false,
          });
          const endMs = Math.min(at.getTime() + lifetimeMs, readCertificate(signer.cert).notAfter.getTime());
          expect(facts.notAfter.getTime()).toBe(Math.floor(endMs / 1000) * 1000);
          expect(faultOf(pair, { request, authority: signer.cert, now: at })).toBeUndefined();
          expect(faultOf(pair, { now: renewalTime(pair.cert) })).toMatch("last third");
        },
      ),
    );
  });

  it("is valid from a little before now for a year", async () => {
    const { cert } = await issueCertificate(authority, client, { now });
    expect(readCertificate(cert)).toMatchObject({
      notBefore: new Date("2029-12-31T23:55:00Z"),
      notAfter: new Date("2031-01-01T00:00:00Z"),
    });
  });

  it("limits a certificate to the lifetime of its CA", async () => {
    const late = new Date(now.getTime() + 3_640 * dayMs);
    const { cert } = await issueCertificate(authority, client, { now: late });
    expect(readCertificate(cert).notAfter).toEqual(readCertificate(authority.cert).notAfter);
  });

  it("gives every certificate its own serial number and key", async () => {
    const pairs = await Promise.all(Array.from({ length: 20 }, () => issueCertificate(authority, client)));
    expect(new Set(pairs.map(({ cert }) => new X509Certificate(cert).serialNumber)).size).toBe(20);
    expect(new Set(pairs.map(({ key }) => key)).size).toBe(20);
  });

  it.each<[string, Partial<CertificateRequest>]>([
    ["no common name", { commonName: "" }],
    ["a NUL in a common name", { commonName: "admin\0.example" }],
    ["an organization with a line break", { organizations: ["a\nb"] }],
    ["an empty organization", { organizations: [""] }],
    ["half a character", { commonName: "\u{D800}" }],
    ["no use", { usages: [] }],
    ["an empty DNS name", { dnsNames: [""] }],
    ["a NUL in a DNS name", { dnsNames: ["good.example\0.bad.example"] }],
    ["a DNS name beyond ASCII", { dnsNames: ["größe.example"] }],
    ["an address among the DNS names", { dnsNames: ["192.0.2.1"] }],
    ["a DNS name that is too long", { dnsNames: [`${"a.".repeat(126)}bc`] }],
    ["a URL among the DNS names", { dnsNames: ["https://example.com"] }],
    ["a name among the addresses", { ipAddresses: ["localhost"] }],
    ["a network among the addresses", { ipAddresses: ["192.0.2.0/24"] }],
  ])("refuses %s", async (_, part) => {
    await expect(issueCertificate(authority, { ...client, ...part })).rejects.toThrow(InvalidInput);
  });

  it.each([
    ["no lifetime", { lifetimeMs: 0 }],
    ["a lifetime that is not a number", { lifetimeMs: Number.NaN }],
    ["a lifetime that is too short", { lifetimeMs: 9_999 }],
    ["an expired CA", { now: new Date(now.getTime() + 3_651 * dayMs) }],
    ["a time before the supported years", { now: new Date("1949-12-31T00:00:00Z") }],
    ["an invalid date", { now: new Date(Number.NaN) }],
  ])("refuses %s", async (_, options) => {
    await expect(issueCertificate(authority, client, options)).rejects.toThrow(InvalidInput);
  });

  it("rejects an infinite lifetime", async () => {
    await expect(createAuthority("x", { lifetimeMs: Number.POSITIVE_INFINITY })).rejects.toThrow(InvalidInput);
  });

  it("rejects a CA with a mismatched key", async () => {
    const other = await createAuthority("another");
    await expect(issueCertificate({ ...authority, key: other.key }, client)).rejects.toThrow(InvalidInput);
  });
});
