import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** The hash that is stored of a secret: it verifies the secret without revealing it. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Whether a secret matches a hash, in constant time. */
export function isHashOf(hash: string | undefined, secret: string): boolean {
  if (hash === undefined) return false;
  const [left, right] = [Buffer.from(hash, "hex"), Buffer.from(hashOf(secret), "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A secret of 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** A token that says which record it belongs to: `bcr_<id>_<secret>`. */
export function tokenText(prefix: string, id: string, secret: string): string {
  return `${prefix}_${id}_${secret}`;
}

/** The parts of a token; undefined when it has another form. */
export function readToken(prefix: string, token: string): { id: string; secret: string } | undefined {
  const [, found, id, secret] = /^([a-z]+)_([0-9a-f]{24})_([\w-]{43})$/.exec(token) ?? [];
  return found !== prefix || id === undefined || secret === undefined ? undefined : { id, secret };
}

/** An unguessable name for a record. */
export function newId(): string {
  return randomBytes(12).toString("hex");
}
