import { createPublicKey } from "node:crypto";
import { generateKey, type KeyAlgorithm, pemOf, readPrivateKey } from "./keys.ts";

/** A key pair in PEM form. */
export interface SigningKey {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Makes a key for signing the tokens of service accounts. */
export async function createSigningKey(algorithm?: KeyAlgorithm): Promise<SigningKey> {
  return signingKeyFrom(pemOf(await generateKey(algorithm)));
}

/** Completes a private key with its public half. */
export function signingKeyFrom(privateKey: string): SigningKey {
  return { privateKey, publicKey: pemOf(createPublicKey(readPrivateKey(privateKey))) };
}
