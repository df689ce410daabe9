import { InvalidInput } from "@butler/std";
import { createPrivateKey, generateKeyPair, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { element, objectIdentifier, sequence } from "./der-writer.ts";
import { derTags } from "./der-reader.ts";

/** The supported key algorithms. */
export type KeyAlgorithm = "ECDSA-P256" | "ECDSA-P384" | "RSA-2048" | "RSA-4096";

const defaultAlgorithm: KeyAlgorithm = "ECDSA-P256";
const generate = promisify(generateKeyPair);
const signAsync = promisify(sign);

/**
 * Prime generation is slow, and its threads also read files and resolve names. Half of the default four stay free for
 * that, however many keys are requested.
 */
const primeSearches = pLimit(2);

const generators: Readonly<Record<KeyAlgorithm, () => Promise<{ privateKey: KeyObject }>>> = {
  "ECDSA-P256": () => generate("ec", { namedCurve: "P-256" }),
  "ECDSA-P384": () => generate("ec", { namedCurve: "P-384" }),
  "RSA-2048": () => primeSearches(() => generate("rsa", { modulusLength: 2048 })),
  "RSA-4096": () => primeSearches(() => generate("rsa", { modulusLength: 4096 })),
};

/** Generates a private key on another thread. */
export async function generateKey(algorithm: KeyAlgorithm = defaultAlgorithm): Promise<KeyObject> {
  const { privateKey } = await generators[algorithm]();
  return privateKey;
}

/** A key in PEM form. */
export function pemOf(key: KeyObject): string {
  return key.export({ type: key.type === "public" ? "spki" : "pkcs8", format: "pem" }).toString();
}

/** Reads a private key in PEM form. The error never shows any of it. */
export function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new InvalidInput("cannot read the private key", {
      hint: "Provide a PEM private key without a passphrase.",
    });
  }
}

/** A signature scheme, determined by the key of the signer. */
export interface SignatureScheme {
  /** Undefined when the scheme has a built-in hash. */
  readonly hash: string | undefined;
  /** As certificates name it. */
  readonly identifier: string;
  readonly keyType: "ec" | "rsa" | "ed25519";
}

/** All supported signature schemes. */
export const signatureSchemes = {
  ecdsaSha256: { hash: "sha256", identifier: "1.2.840.10045.4.3.2", keyType: "ec" },
  ecdsaSha384: { hash: "sha384", identifier: "1.2.840.10045.4.3.3", keyType: "ec" },
  ecdsaSha512: { hash: "sha512", identifier: "1.2.840.10045.4.3.4", keyType: "ec" },
  rsaSha256: { hash: "sha256", identifier: "1.2.840.113549.1.1.11", keyType: "rsa" },
  rsaSha384: { hash: "sha384", identifier: "1.2.840.113549.1.1.12", keyType: "rsa" },
  rsaSha512: { hash: "sha512", identifier: "1.2.840.113549.1.1.13", keyType: "rsa" },
  ed25519: { hash: undefined, identifier: "1.3.101.112", keyType: "ed25519" },
} as const satisfies Readonly<Record<string, SignatureScheme>>;

/** The signature scheme of a key: the hash is as strong as the key. */
export function signatureSchemeOf(key: KeyObject): SignatureScheme {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === "rsa") return signatureSchemes.rsaSha256;
  if (key.asymmetricKeyType === "ed25519") return signatureSchemes.ed25519;
  if (curve === "prime256v1") return signatureSchemes.ecdsaSha256;
  if (curve === "secp384r1") return signatureSchemes.ecdsaSha384;
  if (curve === "secp521r1") return signatureSchemes.ecdsaSha512;
  throw new InvalidInput(`keys of type ${curve ?? key.asymmetricKeyType ?? "unknown"} cannot sign certificates`, {
    hint: "Use a CA with an ECDSA (P-256, P-384, P-521), RSA or Ed25519 key.",
  });
}

/** Encodes a signature algorithm identifier. */
export function writeSignatureScheme({ identifier, keyType }: SignatureScheme): Buffer {
  return sequence(objectIdentifier(identifier), ...(keyType === "rsa" ? [element(derTags.null)] : []));
}

/** Signs bytes on another thread. */
export function signBytes(bytes: Buffer, key: KeyObject): Promise<Buffer> {
  return signAsync(signatureSchemeOf(key).hash, bytes, key);
}
