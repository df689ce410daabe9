import { describeError, InvalidInput } from "@butler/std";
import { X509Certificate } from "node:crypto";
import { readAlternativeNames } from "./alternative-names.ts";
import { childrenOf, derTags, readSingle } from "./der-reader.ts";
import { readSubject } from "./distinguished-name.ts";
import { readExtensions } from "./extensions.ts";
import { identifiers, usageIdentifiers } from "./object-identifiers.ts";

/** What a certificate may be used for. */
export type CertificateUsage = keyof typeof usageIdentifiers;

/** The content of a certificate. */
export interface CertificateFacts {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly usages: readonly CertificateUsage[];
  readonly dnsNames: readonly string[];
  /** Normalized, so that they can be compared. */
  readonly ipAddresses: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isAuthority: boolean;
  /** SHA-256 of the certificate, as pairs of hexadecimal digits with colons. */
  readonly fingerprint: string;
}

/** The parsed parts of a certificate that issuing and validation need. */
export interface ParsedCertificate {
  readonly x509: X509Certificate;
  readonly facts: CertificateFacts;
  /** The encoded subject; a certificate that it signs must have the same bytes as issuer. */
  readonly rawSubject: Buffer;
  readonly extensions: ReadonlyMap<string, Buffer>;
}

/** Reads the first certificate of a PEM text. */
export function readCertificate(pem: string): CertificateFacts {
  return parseCertificate(pem).facts;
}

/** When a certificate is due for renewal: after two thirds of its lifetime. */
export function renewalTime(cert: string): Date {
  return renewalTimeOf(readCertificate(cert));
}

/** The same for a parsed certificate. */
export function renewalTimeOf({ notBefore, notAfter }: CertificateFacts): Date {
  return new Date(notAfter.getTime() - (notAfter.getTime() - notBefore.getTime()) / 3);
}

/** Parses a certificate. */
export function parseCertificate(pem: string): ParsedCertificate {
  try {
    const x509 = new X509Certificate(pem);
    const { rawSubject, extensions, ...names } = readNames(x509.raw);
    const usages = Object.entries(usageIdentifiers).filter(([, identifier]) => x509.keyUsage?.includes(identifier));
    if (Number.isNaN(x509.validFromDate.getTime() + x509.validToDate.getTime())) {
      throw new InvalidInput("invalid date in the validity period");
    }
    const facts = {
      ...names,
      usages: usages.map(([usage]) => usage as CertificateUsage),
      notBefore: x509.validFromDate,
      notAfter: x509.validToDate,
      isAuthority: x509.ca,
      fingerprint: x509.fingerprint256,
    };
    return { x509, facts, rawSubject, extensions };
  } catch (error) {
    throw new InvalidInput(`cannot read the certificate: ${describeError(error)}`, {
      cause: error,
      hint: "Provide a PEM certificate; it starts with -----BEGIN CERTIFICATE-----.",
    });
  }
}

/** RFC 5280 section 4.1 defines the order of the fields. */
function readNames(
  der: Buffer,
): Pick<CertificateFacts, "commonName" | "organizations" | "dnsNames" | "ipAddresses"> &
  Pick<ParsedCertificate, "rawSubject" | "extensions"> {
  const [signed] = childrenOf(readSingle(der, derTags.sequence), derTags.sequence);
  const fields = childrenOf(signed, derTags.sequence);
  // The version comes first, unless it is v1.
  const subject = fields[fields[0]?.tag === 0xa0 ? 5 : 4];
  const list = fields.find(({ tag }) => tag === 0xa3);
  const extensions = list === undefined ? new Map<string, Buffer>() : readExtensions(childrenOf(list, 0xa3)[0]);
  const { commonNames, organizations } = readSubject(subject);
  const { dnsNames, ipAddresses } = readAlternativeNames(extensions.get(identifiers.subjectAlternativeName));
  // Of several common names Kubernetes takes the last.
  const commonName = commonNames.at(-1) ?? "";
  return {
    commonName,
    organizations,
    dnsNames,
    ipAddresses,
    rawSubject: subject?.raw ?? Buffer.alloc(0),
    extensions,
  };
}
