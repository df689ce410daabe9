import { describeError, InvalidInput } from "@butler/std";
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { type AlternativeNames, readAlternativeNames } from "./alternative-names.ts";
import {
  childrenOf,
  type DerElement,
  derTags,
  expectTag,
  readBitString,
  readObjectIdentifier,
  readSingle,
} from "./der-reader.ts";
import { readSubject } from "./distinguished-name.ts";
import { readExtensions } from "./extensions.ts";
import { pemOf, type SignatureScheme, signatureSchemeOf, signatureSchemes } from "./keys.ts";
import { identifiers } from "./object-identifiers.ts";

/** The content of a request whose sender proved to have the private key. */
export interface CertificateRequestFacts extends AlternativeNames {
  /** Empty when there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The identifiers of subject fields besides common name and organizations. */
  readonly otherSubjectFields: readonly string[];
  /** The identifiers of requested extensions besides the alternative names. */
  readonly otherExtensions: readonly string[];
  /** In PEM form. */
  readonly publicKey: string;
}

/** Enough for hundreds of names; more is an attempt to exhaust the reader. */
const longestRequest = 32_768;
const pemForm = /^\s*-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z\d+/=\r\n]*)-----END CERTIFICATE REQUEST-----\s*$/;

/**
 * Reads a certificate signing request of unknown origin. The signature has been verified when this returns; whatever
 * is malformed, ambiguous or too weak is refused.
 */
export function readCertificateRequest(pem: string): CertificateRequestFacts {
  try {
    return readRequest(bytesOf(pem));
  } catch (error) {
    throw new InvalidInput(`invalid certificate request: ${describeError(error)}`, {
      cause: error,
      hint: "Send a single PEM request, signed with its own key (ECDSA, RSA of 2048 to 8192 bits, or Ed25519).",
    });
  }
}

function bytesOf(pem: string): Buffer {
  if (pem.length > longestRequest) throw new InvalidInput(`more than ${longestRequest} characters`);
  const [, base64] = pemForm.exec(pem) ?? [];
  if (base64 === undefined) throw new InvalidInput("not a single PEM request");
  return Buffer.from(base64, "base64");
}

/** RFC 2986 section 4 defines the order of the fields. */
function readRequest(der: Buffer): CertificateRequestFacts {
  const parts = childrenOf(readSingle(der, derTags.sequence), derTags.sequence);
  const [signed, scheme, signature] = parts;
  const fields = childrenOf(signed, derTags.sequence);
  const [version, subject, keyInfo, attributes] = fields;
  if (parts.length > 3 || fields.length > 4) throw new InvalidInput("unexpected fields");
  expectTag(version, derTags.integer);
  const key = readPublicKey(keyInfo);
  verifySignature(expectTag(signed, derTags.sequence).raw, { key, scheme, signature: readBitString(signature) });
  const { commonNames, organizations, otherFields } = readSubject(subject);
  if (commonNames.length > 1) throw new InvalidInput("more than one common name");
  const extensions = requestedExtensions(attributes);
  return {
    commonName: commonNames[0] ?? "",
    organizations,
    otherSubjectFields: otherFields,
    ...readAlternativeNames(extensions.get(identifiers.subjectAlternativeName)),
    otherExtensions: [...extensions.keys()].filter((name) => name !== identifiers.subjectAlternativeName),
    publicKey: pemOf(key),
  };
}

function readPublicKey(keyInfo: DerElement | undefined): KeyObject {
  const [algorithm] = childrenOf(keyInfo, derTags.sequence);
  const key = createPublicKey({ key: expectTag(keyInfo, derTags.sequence).raw, type: "spki", format: "der" });
  // A curve must be named: explicit parameters could imitate a real curve.
  if (key.asymmetricKeyType === "ec") readObjectIdentifier(childrenOf(algorithm, derTags.sequence)[1]);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 2048;
  // Weak keys are insecure, and huge ones take seconds to verify.
  if (bits < 2048 || bits > 8192) throw new InvalidInput(`the RSA key has ${bits} bits`);
  // Refuses unknown kinds of keys.
  signatureSchemeOf(key);
  return key;
}

function verifySignature(
  signed: Buffer,
  { key, scheme, signature }: { key: KeyObject; scheme: DerElement | undefined; signature: Buffer },
): void {
  const identifier = readObjectIdentifier(childrenOf(scheme, derTags.sequence)[0]);
  const known: readonly SignatureScheme[] = Object.values(signatureSchemes);
  const { hash, keyType } = known.find((candidate) => candidate.identifier === identifier) ?? {};
  if (keyType !== key.asymmetricKeyType) throw new InvalidInput(`unsupported signature algorithm ${identifier}`);
  if (!verify(hash, signed, key, signature)) throw new InvalidInput("invalid signature");
}

/** Several extension lists are rejected: readers differ in which one they use. */
function requestedExtensions(attributes: DerElement | undefined): ReadonlyMap<string, Buffer> {
  if (attributes === undefined) return new Map();
  const lists = childrenOf(attributes, 0xa0).flatMap((attribute) => {
    const [type, values] = childrenOf(attribute, derTags.sequence);
    return readObjectIdentifier(type) === identifiers.extensionRequest ? childrenOf(values, derTags.set) : [];
  });
  if (lists.length > 1) throw new InvalidInput("more than one extension list");
  return lists.length === 0 ? new Map() : readExtensions(lists[0]);
}
