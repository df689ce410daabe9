import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { derTags } from "../der-reader.ts";
import { bitString, element, explicit, integer, objectIdentifier, sequence } from "../der-writer.ts";
import { type ExtensionToWrite, writeExtensions } from "../extensions.ts";
import { signatureSchemeOf, writeSignatureScheme } from "../keys.ts";
import { identifiers } from "../object-identifiers.ts";

/** The parts of a certificate signing request, each of which a test can replace with an invalid one. */
export interface RequestParts {
  /** Subject fields: identifier and encoded value. */
  readonly subject: readonly (readonly [string, Buffer])[];
  /** Extension lists; a valid request has at most one. */
  readonly extensionLists: readonly (readonly ExtensionToWrite[])[];
  readonly key: KeyObject;
  /** The signer; the owner of the key by default. */
  readonly signer?: KeyObject;
}

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** A request in binary form. */
export function requestBytes(parts: Partial<RequestParts> = {}): Buffer {
  const { subject = [], extensionLists = [], key = privateKey, signer = key } = parts;
  const attributes = extensionLists.map((list) =>
    sequence(objectIdentifier(identifiers.extensionRequest), element(derTags.set, writeExtensions(list))),
  );
  const signed = sequence(
    integer(Buffer.from([0])),
    sequence(...subject.map(([type, value]) => element(derTags.set, sequence(objectIdentifier(type), value)))),
    createPublicKey(key).export({ type: "spki", format: "der" }),
    explicit(0, Buffer.concat(attributes)),
  );
  const scheme = signatureSchemeOf(signer);
  return sequence(signed, writeSignatureScheme(scheme), bitString(sign(scheme.hash, signed, signer)));
}

/** Bytes in PEM form. */
export function requestPem(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE REQUEST-----", ...lines, "-----END CERTIFICATE REQUEST-----", ""].join("\n");
}
