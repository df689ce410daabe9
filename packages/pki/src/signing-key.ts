import { createPublicKey } from "node:crypto";
import { generateKey, type KeyAlgorithm, pemOf, readPrivateKey } from "./keys.ts";

/** A key pair in PEM form. */
export interface SigningKey {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Generates a key for signing service account tokens. */
export async function createSigningKey(algorithm?: KeyAlgorithm): Promise<SigningKey> {
  return signingKeyFrom(pemOf(await generateKey(algorithm)));
}

/** Derives the public key of a private key. */
export function signingKeyFrom(privateKey: string): SigningKey {
  return { privateKey, publicKey: pemOf(createPublicKey(readPrivateKey(privateKey))) };
}
