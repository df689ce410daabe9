import { describeError, normaliseIpAddress } from "@butler/std";
import type { X509Certificate } from "node:crypto";
import { type CertificateFacts, parseCertificate, type ParsedCertificate, renewalTimeOf } from "./certificate-facts.ts";
import type { CertificatePair, CertificateRequest } from "./certificates.ts";
import { readPrivateKey } from "./keys.ts";

/** The requirements for a certificate and key pair. */
export interface ExpectedCertificate {
  /** The expected subject and usages; any when absent. */
  readonly request?: CertificateRequest;
  /** The certificate of the expected signer in PEM, the first of several; any when absent. */
  readonly authority?: string;
  readonly now: Date;
}

/**
 * Why a pair is invalid: unreadable, mismatched key, not yet or no longer valid, in the last third of its lifetime,
 * signed by another CA, for other names or usages. Undefined when it is valid.
 */
export function faultOf(pair: CertificatePair, expected: ExpectedCertificate): string | undefined {
  const authority = expected.authority === undefined ? undefined : parseCertificate(expected.authority).x509;
  let parsed: ParsedCertificate;
  try {
    parsed = parseCertificate(pair.cert);
  } catch (error) {
    return describeError(error);
  }
  const { x509, facts } = parsed;
  return (
    keyFault(x509, pair.key) ??
    timeFault(facts, expected.now) ??
    signerFault(x509, authority) ??
    (expected.request === undefined ? undefined : requestFault(facts, expected.request))
  );
}

function keyFault(x509: X509Certificate, pem: string): string | undefined {
  try {
    return x509.checkPrivateKey(readPrivateKey(pem)) ? undefined : "the private key does not match the certificate";
  } catch (error) {
    return describeError(error);
  }
}

function timeFault(facts: CertificateFacts, now: Date): string | undefined {
  const [from, until] = [facts.notBefore.toISOString(), facts.notAfter.toISOString()];
  if (!(now >= facts.notBefore)) return `the certificate is not valid before ${from}`;
  if (now >= facts.notAfter) return `the certificate expired on ${until}`;
  if (now >= renewalTimeOf(facts))
    return `the certificate is in the last third of its lifetime and expires on ${until}`;
  return undefined;
}

function signerFault(x509: X509Certificate, authority: X509Certificate | undefined): string | undefined {
  if (authority === undefined || (x509.checkIssued(authority) && x509.verify(authority.publicKey))) return undefined;
  return "the certificate was signed by another CA";
}

function requestFault(facts: CertificateFacts, request: CertificateRequest): string | undefined {
  if (facts.isAuthority) return "the certificate is a CA certificate";
  const lowerCase = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
  return (
    listFault("common name", [facts.commonName], [request.commonName]) ??
    listFault("organization", facts.organizations, request.organizations ?? []) ??
    listFault("DNS name", lowerCase(facts.dnsNames), lowerCase(request.dnsNames ?? [])) ??
    listFault("IP address", facts.ipAddresses, (request.ipAddresses ?? []).map(normaliseIpAddress)) ??
    listFault("usage", facts.usages, request.usages)
  );
}

/** Order and repetition do not matter; an extra name is as wrong as a missing one, since it allows impersonation. */
function listFault(kind: string, actual: readonly string[], wanted: readonly string[]): string | undefined {
  const missing = wanted.filter((name) => !actual.includes(name));
  if (missing.length > 0) return `the certificate lacks the ${kind} ${missing.join(", ")}`;
  const needless = actual.filter((name) => !wanted.includes(name));
  return needless.length > 0 ? `the certificate has the unexpected ${kind} ${needless.join(", ")}` : undefined;
}
