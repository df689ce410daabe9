import { InvalidInput } from "@butler/std";
import { createHash, createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { writeAlternativeNames } from "./alternative-names.ts";
import { type CertificateUsage, type ParsedCertificate, parseCertificate } from "./certificate-facts.ts";
import { childrenOf, derTags, readBitString, readSingle } from "./der-reader.ts";
import { bitString, element, explicit, integer, objectIdentifier, octetString, sequence, time } from "./der-writer.ts";
import { writeSubject } from "./distinguished-name.ts";
import { type ExtensionToWrite, writeExtensions } from "./extensions.ts";
import {
  generateKey,
  type KeyAlgorithm,
  pemOf,
  readPrivateKey,
  signatureSchemeOf,
  signBytes,
  writeSignatureScheme,
} from "./keys.ts";
import { identifiers, usageIdentifiers } from "./object-identifiers.ts";
import { type Validity, validityFrom } from "./validity.ts";

/** A certificate and its private key in PEM form. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** The purpose of a certificate. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly usages: readonly CertificateUsage[];
  readonly dnsNames?: readonly string[];
  /** IPv4 or IPv6 in any spelling. */
  readonly ipAddresses?: readonly string[];
}

/** Options for issuing a certificate. */
export interface IssueOptions {
  /** ECDSA P-256 by default. */
  readonly algorithm?: KeyAlgorithm;
  /** Ten years for a CA and one for other certificates by default. */
  readonly lifetimeMs?: number;
  readonly now?: Date;
}

const yearMs = 365 * 86_400_000;
/** The bits of what a key may do (RFC 5280 section 4.2.1.3), and how many of the byte do not count. */
const keyUses = {
  authority: { bits: 0x86, unused: 1 },
  signing: { bits: 0x80, unused: 7 },
  // Older clients encrypt the session key with the server's RSA key.
  signingAndEncrypting: { bits: 0xa0, unused: 5 },
} as const;

/** Creates a CA that cannot sign further CAs. */
export async function createAuthority(commonName: string, options: IssueOptions = {}): Promise<CertificatePair> {
  const validity = validityFrom({ lifetimeMs: 10 * yearMs, ...options });
  const subject = writeSubject(commonName);
  const key = await generateKey(options.algorithm);
  const extensions = [
    constraints(sequence(element(derTags.boolean, Buffer.from([0xff])), integer(Buffer.from([0])))),
    keyUsage(keyUses.authority),
    ownKeyIdentifier(key),
  ];
  return { cert: await signCertificate({ subject, issuer: subject, validity, extensions, key }, key), key: pemOf(key) };
}

/** Issues a certificate signed by the CA. It expires no later than the CA. */
export async function issueCertificate(
  authority: CertificatePair,
  request: CertificateRequest,
  options: IssueOptions = {},
): Promise<CertificatePair> {
  const issuer = parseCertificate(authority.cert);
  const validity = validityFrom({ lifetimeMs: yearMs, ...options, authority: issuer.facts });
  const signer = fittingKey(issuer, authority.key);
  const subject = writeSubject(request.commonName, request.organizations);
  const usages = extendedKeyUsage(request.usages);
  const names = writeAlternativeNames(request.dnsNames ?? [], request.ipAddresses ?? []);
  const key = await generateKey(options.algorithm);
  const extensions = [
    constraints(sequence()),
    keyUsage(key.asymmetricKeyType === "rsa" ? keyUses.signingAndEncrypting : keyUses.signing),
    usages,
    ownKeyIdentifier(key),
    ...signerKeyIdentifier(issuer),
    ...(names === undefined ? [] : [{ identifier: identifiers.subjectAlternativeName, content: names }]),
  ];
  const contents = { subject, issuer: issuer.rawSubject, validity, extensions, key };
  return { cert: await signCertificate(contents, signer), key: pemOf(key) };
}

interface Contents {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly validity: Validity;
  readonly extensions: readonly ExtensionToWrite[];
  readonly key: KeyObject;
}

async function signCertificate(
  { subject, issuer, validity, extensions, key }: Contents,
  signer: KeyObject,
): Promise<string> {
  const scheme = writeSignatureScheme(signatureSchemeOf(signer));
  const signed = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(newSerialNumber()),
    scheme,
    issuer,
    sequence(time(validity.notBefore), time(validity.notAfter)),
    subject,
    publicKeyOf(key),
    explicit(3, writeExtensions(extensions)),
  );
  const der = sequence(signed, scheme, bitString(await signBytes(signed, signer)));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function fittingKey(issuer: ParsedCertificate, pem: string): KeyObject {
  const key = readPrivateKey(pem);
  if (issuer.x509.checkPrivateKey(key)) return key;
  throw new InvalidInput(`the private key does not match the CA ${issuer.facts.commonName}`, {
    hint: "Provide the certificate and private key of the same CA.",
  });
}

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

function constraints(content: Buffer): ExtensionToWrite {
  return { identifier: identifiers.basicConstraints, content, isCritical: true };
}

function keyUsage({ bits, unused }: { bits: number; unused: number }): ExtensionToWrite {
  return { identifier: identifiers.keyUsage, content: bitString(Buffer.from([bits]), unused), isCritical: true };
}

function extendedKeyUsage(usages: readonly CertificateUsage[]): ExtensionToWrite {
  // An empty list is not allowed, and no list would allow everything.
  if (usages.length === 0)
    throw new InvalidInput("a certificate requires at least one usage", { hint: "Specify server or client." });
  const purposes = [...new Set(usages)].map((usage) => objectIdentifier(usageIdentifiers[usage]));
  return { identifier: identifiers.extendedKeyUsage, content: sequence(...purposes) };
}

/** RFC 7093 section 2: the first 160 bits of the hash of the public key. */
function ownKeyIdentifier(key: KeyObject): ExtensionToWrite {
  const [, bits] = childrenOf(readSingle(publicKeyOf(key), derTags.sequence), derTags.sequence);
  const hash = createHash("sha256").update(readBitString(bits)).digest().subarray(0, 20);
  return { identifier: identifiers.subjectKeyIdentifier, content: octetString(hash) };
}

/** The CA's own key identifier. */
function signerKeyIdentifier({ extensions }: ParsedCertificate): ExtensionToWrite[] {
  const own = extensions.get(identifiers.subjectKeyIdentifier);
  if (own === undefined) return [];
  const content = sequence(element(0x80, readSingle(own, derTags.octetString).content));
  return [{ identifier: identifiers.authorityKeyIdentifier, content }];
}

/** RFC 5280 section 4.1.2.2 asks for a positive number of at most 20 octets. */
function newSerialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
