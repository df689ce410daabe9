import { InvalidInput } from "@butler/std";
import { createPrivateKey, generateKeyPair, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { element, objectIdentifier, sequence } from "./der-writer.ts";
import { derTags } from "./der-reader.ts";
import { TaskLimit } from "./task-limit.ts";

/** The kinds of keys that can be made. */
export type KeyAlgorithm = "ECDSA-P256" | "ECDSA-P384" | "RSA-2048" | "RSA-4096";

const defaultAlgorithm: KeyAlgorithm = "ECDSA-P256";
const generate = promisify(generateKeyPair);
const signAsync = promisify(sign);

/**
 * The search for primes takes long, and the threads that do it also read files and resolve names. Half of the usual
 * four stay free for that, however many keys are asked for.
 */
const primeSearches = new TaskLimit(2);

const generators: Readonly<Record<KeyAlgorithm, () => Promise<{ privateKey: KeyObject }>>> = {
  "ECDSA-P256": () => generate("ec", { namedCurve: "P-256" }),
  "ECDSA-P384": () => generate("ec", { namedCurve: "P-384" }),
  "RSA-2048": () => primeSearches.run(() => generate("rsa", { modulusLength: 2048 })),
  "RSA-4096": () => primeSearches.run(() => generate("rsa", { modulusLength: 4096 })),
};

/** Makes a private key on another thread. */
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
    throw new InvalidInput("the private key cannot be read", {
      hint: "Give a private key in PEM form that needs no passphrase.",
    });
  }
}

/** A way to sign, which the key of the signer decides. */
export interface SignatureScheme {
  /** Undefined where the scheme has a hash of its own. */
  readonly hash: string | undefined;
  /** As certificates name it. */
  readonly identifier: string;
  readonly keyType: "ec" | "rsa" | "ed25519";
}

/** Every way to sign that is made or accepted here. */
export const signatureSchemes = {
  ecdsaSha256: { hash: "sha256", identifier: "1.2.840.10045.4.3.2", keyType: "ec" },
  ecdsaSha384: { hash: "sha384", identifier: "1.2.840.10045.4.3.3", keyType: "ec" },
  ecdsaSha512: { hash: "sha512", identifier: "1.2.840.10045.4.3.4", keyType: "ec" },
  rsaSha256: { hash: "sha256", identifier: "1.2.840.113549.1.1.11", keyType: "rsa" },
  rsaSha384: { hash: "sha384", identifier: "1.2.840.113549.1.1.12", keyType: "rsa" },
  rsaSha512: { hash: "sha512", identifier: "1.2.840.113549.1.1.13", keyType: "rsa" },
  ed25519: { hash: undefined, identifier: "1.3.101.112", keyType: "ed25519" },
} as const satisfies Readonly<Record<string, SignatureScheme>>;

/** How a key signs: the hash is as strong as the key. */
export function signatureSchemeOf(key: KeyObject): SignatureScheme {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === "rsa") return signatureSchemes.rsaSha256;
  if (key.asymmetricKeyType === "ed25519") return signatureSchemes.ed25519;
  if (curve === "prime256v1") return signatureSchemes.ecdsaSha256;
  if (curve === "secp384r1") return signatureSchemes.ecdsaSha384;
  if (curve === "secp521r1") return signatureSchemes.ecdsaSha512;
  throw new InvalidInput(`a key of kind ${curve ?? key.asymmetricKeyType ?? "unknown"} cannot sign certificates here`, {
    hint: "Use an authority whose key is ECDSA (P-256, P-384, P-521), RSA or Ed25519.",
  });
}

/** Names a way to sign as certificates do. */
export function writeSignatureScheme({ identifier, keyType }: SignatureScheme): Buffer {
  return sequence(objectIdentifier(identifier), ...(keyType === "rsa" ? [element(derTags.null)] : []));
}

/** Signs bytes on another thread. */
export function signBytes(bytes: Buffer, key: KeyObject): Promise<Buffer> {
  return signAsync(signatureSchemeOf(key).hash, bytes, key);
}
