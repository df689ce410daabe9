import { InvalidInput } from "@butler/std";
import fc from "fast-check";
import { X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { readCertificate, renewalTime } from "./certificate-facts.ts";
import { type CertificatePair, type CertificateRequest, createAuthority, issueCertificate } from "./certificates.ts";
import { type ExpectedCertificate, faultOf } from "./fault.ts";

const now = new Date("2026-01-01T00:00:00Z");
const dayMs = 86_400_000;
const later = (days: number): Date => new Date(now.getTime() + days * dayMs);
const request: CertificateRequest = {
  commonName: "hook",
  organizations: ["a", "b"],
  usages: ["server"],
  dnsNames: ["hook.system.svc", "hook"],
  ipAddresses: ["2001:db8::1", "192.0.2.1"],
};

interface Case {
  readonly pair: CertificatePair;
  readonly expected: ExpectedCertificate;
  readonly namesake: CertificatePair;
  readonly rsa: CertificatePair;
}
let good: Case;

beforeAll(async () => {
  const authority = await createAuthority("a", { now });
  good = {
    pair: await issueCertificate(authority, request, { now }),
    expected: { request, authority: authority.cert, now },
    namesake: await createAuthority("a", { now }),
    rsa: await createAuthority("a", { now, algorithm: "RSA-2048" }),
  };
});

describe("faultOf", () => {
  it.each<[string, (good: Case) => Partial<ExpectedCertificate>]>([
    ["as issued", () => ({})],
    ["until the last third", () => ({ now: later(243) })],
    [
      "with names in another order and case",
      () => ({ request: { ...request, dnsNames: ["HOOK", "Hook.system.svc"] } }),
    ],
    ["with organizations in another order", () => ({ request: { ...request, organizations: ["b", "a", "b"] } })],
    [
      "with addresses in another spelling",
      () => ({ request: { ...request, ipAddresses: ["::ffff:192.0.2.1", "2001:DB8:0:0:0::1"] } }),
    ],
  ])("finds none in a pair %s", (_, change) => {
    expect(faultOf(good.pair, { ...good.expected, ...change(good) })).toBeUndefined();
  });

  it.each<[string, (good: Case) => Partial<ExpectedCertificate>]>([
    ["not valid before", () => ({ now: later(-1) })],
    ["not valid before", () => ({ now: new Date(Number.NaN) })],
    ["last third", () => ({ now: later(244) })],
    ["expired on 2027-01-01T00:00:00.000Z", () => ({ now: later(365) })],
    ["another CA", ({ namesake }) => ({ authority: namesake.cert })],
    ["another CA", ({ rsa }) => ({ authority: rsa.cert })],
    ["lacks the common name other", () => ({ request: { ...request, commonName: "other" } })],
    ["lacks the organization c", () => ({ request: { ...request, organizations: ["a", "b", "c"] } })],
    ["has the unexpected organization b", () => ({ request: { ...request, organizations: ["a"] } })],
    ["lacks the DNS name x, y", () => ({ request: { ...request, dnsNames: ["x", "hook", "y"] } })],
    ["has the unexpected DNS name hook", () => ({ request: { ...request, dnsNames: ["hook.system.svc"] } })],
    ["lacks the IP address 192.0.2.2", () => ({ request: { ...request, ipAddresses: ["192.0.2.2"] } })],
    ["has the unexpected IP address 2001:db8::1", () => ({ request: { ...request, ipAddresses: ["192.0.2.1"] } })],
    ["lacks the usage client", () => ({ request: { ...request, usages: ["client"] } })],
    ["has the unexpected usage server", () => ({ request: { ...request, usages: [] } })],
  ])("reports %j", (named, change) => {
    expect(faultOf(good.pair, { ...good.expected, ...change(good) })).toMatch(named);
  });

  it.each<[string, (good: Case) => Partial<CertificatePair>]>([
    ["private key does not match", ({ namesake }) => ({ key: namesake.key })],
    ["private key does not match", ({ rsa }) => ({ key: rsa.key })],
    ["cannot read the private key", () => ({ key: "" })],
    ["cannot read the private key", ({ pair }) => ({ key: pair.key.slice(0, 80) })],
    ["cannot read the certificate", () => ({ cert: "" })],
    ["cannot read the certificate", ({ pair }) => ({ cert: pair.cert.slice(0, 200) })],
    ["cannot read the certificate", ({ pair }) => ({ cert: pair.key })],
    ["certificate is a CA certificate", ({ namesake }) => namesake],
  ])("reports %j for a modified pair", (named, change) => {
    const { authority: _, ...expected } = good.expected;
    expect(faultOf({ ...good.pair, ...change(good) }, expected)).toMatch(named);
  });

  it("finds a fault for any flipped bit of the certificate", () => {
    const { raw } = new X509Certificate(good.pair.cert);
    for (let index = 0; index < 8 * raw.length; index += 1) {
      const changed = Buffer.from(raw);
      changed.writeUInt8(changed.readUInt8(index >> 3) ^ (1 << (index & 7)), index >> 3);
      const cert = `-----BEGIN CERTIFICATE-----\n${changed.toString("base64")}\n-----END CERTIFICATE-----\n`;
      expect(faultOf({ ...good.pair, cert }, good.expected), `bit ${index}`).toBeTypeOf("string");
    }
  });

  it("does not accept an unreadable CA", () => {
    expect(() => faultOf(good.pair, { authority: "rubbish", now })).toThrow(InvalidInput);
  });
});

describe("readCertificate", () => {
  it("reads the first of several", () => {
    const bundle = `a note\n${good.namesake.cert}${good.pair.cert}`;
    expect(readCertificate(bundle)).toEqual(readCertificate(good.namesake.cert));
  });

  it("rejects all other text", () => {
    const body = fc.base64String().map((text) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), body), (text) => {
        expect(() => readCertificate(text)).toThrow(InvalidInput);
      }),
    );
  });
});

describe("renewalTime", () => {
  it("is after two thirds of the lifetime", () => {
    const { notBefore, notAfter } = readCertificate(good.pair.cert);
    const renewal = renewalTime(good.pair.cert);
    expect(renewal.getTime() - notBefore.getTime()).toBe(2 * (notAfter.getTime() - renewal.getTime()));
  });
});
