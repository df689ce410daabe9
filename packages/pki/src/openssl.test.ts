import { describe, expect, it } from "vitest";
import { readCertificate } from "./certificate-facts.ts";
import { readCertificateRequest } from "./certificate-request-facts.ts";
import { type CertificateRequest, createAuthority, issueCertificate } from "./certificates.ts";
import { faultOf } from "./fault.ts";
import type { KeyAlgorithm } from "./keys.ts";
import { hasOpenssl, Openssl } from "./testing/openssl.ts";

const algorithms: KeyAlgorithm[] = ["ECDSA-P256", "ECDSA-P384", "RSA-2048"];
const signatures = {
  "ECDSA-P256": "ecdsa-with-SHA256",
  "ECDSA-P384": "ecdsa-with-SHA384",
  "RSA-2048": "sha256WithRSAEncryption",
  "RSA-4096": "sha256WithRSAEncryption",
};
const request: CertificateRequest = {
  commonName: "größe, a server",
  organizations: ["system:masters"],
  usages: ["server", "client"],
  dnsNames: ["api.example", "*.apps.example"],
  ipAddresses: ["192.0.2.1", "2001:db8::1"],
};
const now = new Date();

describe.skipIf(!hasOpenssl)("issued certificates, verified by OpenSSL", () => {
  const kinds = algorithms.flatMap((signer) => algorithms.map((own) => [signer, own] as const));
  it.each(kinds)("are valid with a CA key of type %s and a key of type %s", async (signer, own) => {
    const authority = await createAuthority("größe", { algorithm: signer });
    const { cert } = await issueCertificate(authority, request, { algorithm: own });
    const openssl = new Openssl({ "ca.crt": authority.cert, "a.crt": cert });
    const verify = ["verify", "-x509_strict", "-check_ss_sig", "-CAfile", "ca.crt"];
    for (const purpose of ["sslserver", "sslclient"]) {
      expect(openssl.run(...verify, "-purpose", purpose, "-verify_ip", "2001:db8::1", "a.crt")).toMatch("a.crt: OK");
    }
    expect(openssl.run(...verify, "-verify_hostname", "b.apps.example", "a.crt")).toMatch("a.crt: OK");
    expect(() => openssl.run(...verify, "-verify_hostname", "elsewhere.example", "a.crt")).toThrow(/mismatch/);
    const text = openssl.run("x509", "-in", "a.crt", "-noout", "-text", "-nameopt", "utf8,sep_comma_plus");
    expect(text).toMatch(`Signature Algorithm: ${signatures[signer]}`);
    expect(text).toMatch("Subject: O=system:masters,CN=größe, a server");
    expect(text).toMatch("Basic Constraints: critical\n                CA:FALSE");
    expect(text).toMatch("DNS:api.example, DNS:*.apps.example, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1");
    expect(text).toMatch(own.startsWith("RSA") ? "Digital Signature, Key Encipherment" : "Digital Signature\n");
  });

  it("cannot sign further certificates", async () => {
    const authority = await createAuthority("root");
    const middle = await issueCertificate(authority, request);
    const leaf = await issueCertificate(middle, request);
    const openssl = new Openssl({ "ca.crt": authority.cert, "middle.crt": middle.cert, "leaf.crt": leaf.cert });
    expect(() => openssl.run("verify", "-CAfile", "ca.crt", "-untrusted", "middle.crt", "leaf.crt")).toThrow(
      /invalid CA/i,
    );
  });
});

describe.skipIf(!hasOpenssl)("an external CA", () => {
  it.each([
    ["Ed25519", ["-newkey", "ed25519"], []],
    ["P-521", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-521"], []],
    [
      "RSA with a name of several parts",
      ["-newkey", "rsa:2048"],
      ["-subj", "/C=DE/O=Ä\\/B/OU=one+OU=two/CN=root", "-utf8"],
    ],
    ["another key identifier", ["-newkey", "rsa:2048"], ["-addext", "subjectKeyIdentifier=01:02:03"]],
    ["no key identifier", ["-newkey", "rsa:2048"], ["-addext", "subjectKeyIdentifier=none"]],
  ])("signs too: %s", async (_, key, options) => {
    const openssl = new Openssl({ "a.cnf": "[req]\ndistinguished_name = name\n[name]\n" });
    const subject = options.includes("-subj") ? [] : ["-subj", "/CN=root"];
    const output = ["-nodes", "-keyout", "ca.key", "-out", "ca.crt", "-config", "a.cnf"];
    const constraints = ["-addext", "basicConstraints=critical,CA:TRUE"];
    openssl.run("req", "-x509", ...key, ...output, "-days", "30", ...constraints, ...subject, ...options);
    const authority = { cert: openssl.read("ca.crt"), key: openssl.read("ca.key") };
    const pair = await issueCertificate(authority, request);
    openssl.write("a.crt", pair.cert);
    expect(openssl.run("verify", "-CAfile", "ca.crt", "a.crt")).toMatch("a.crt: OK");
    expect(faultOf(pair, { request, authority: authority.cert, now })).toBeUndefined();
    expect(readCertificate(pair.cert).notAfter).toEqual(readCertificate(authority.cert).notAfter);
  });
});

describe.skipIf(!hasOpenssl)("a request created by OpenSSL", () => {
  it.each([
    ["ECDSA", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]],
    ["RSA with SHA-512", ["-newkey", "rsa:2048", "-sha512"]],
    ["Ed25519", ["-newkey", "ed25519"]],
  ])("is read: %s", (_, key) => {
    const openssl = new Openssl();
    const names =
      "DNS:a.example,IP:192.0.2.1,IP:2001:db8::1,email:a@example.com,URI:spiffe://a,otherName:1.2.3;UTF8:x,RID:1.2";
    const wishes = [
      "-addext",
      `subjectAltName=${names}`,
      "-addext",
      "basicConstraints=critical,CA:TRUE",
      "-addext",
      "1.2.3.4=DER:0500",
    ];
    const subject = ["-utf8", "-subj", "/C=DE/O=system:nodes/O=größe/CN=system:node:a"];
    openssl.run("req", "-new", ...key, "-nodes", "-keyout", "a.key", "-out", "a.csr", ...subject, ...wishes);
    expect(readCertificateRequest(openssl.read("a.csr"))).toEqual({
      commonName: "system:node:a",
      organizations: ["system:nodes", "größe"],
      otherSubjectFields: ["2.5.4.6"],
      dnsNames: ["a.example"],
      ipAddresses: ["192.0.2.1", "2001:db8::1"],
      emailAddresses: ["a@example.com"],
      uris: ["spiffe://a"],
      otherNames: 2,
      otherExtensions: ["2.5.29.19", "1.2.3.4"],
      publicKey: openssl.run("pkey", "-in", "a.key", "-pubout"),
    });
  });

  it("is rejected when it is signed with SHA-1", () => {
    const openssl = new Openssl();
    openssl.run(
      "req",
      "-new",
      "-newkey",
      "rsa:2048",
      "-sha1",
      "-nodes",
      "-keyout",
      "a.key",
      "-out",
      "a.csr",
      "-subj",
      "/CN=a",
    );
    expect(() => readCertificateRequest(openssl.read("a.csr"))).toThrow(/unsupported signature algorithm [\d.]+/);
  });

  it("is rejected when its key has explicit curve parameters", () => {
    const openssl = new Openssl();
    openssl.run("ecparam", "-name", "prime256v1", "-param_enc", "explicit", "-genkey", "-noout", "-out", "a.key");
    openssl.run("req", "-new", "-key", "a.key", "-out", "a.csr", "-subj", "/CN=a");
    expect(() => readCertificateRequest(openssl.read("a.csr"))).toThrow(/invalid certificate request/);
  });
});
