import type { Clock } from "@butler/std";
import { errors, jwtVerify, SignJWT } from "jose";
import type { KeyRing } from "./signing-keys.ts";

const issuer = "butler-server";
const audience = "butler";
const algorithm = "EdDSA";

/** Claims of an access token: only its session, nothing that could change. */
export interface AccessClaims {
  readonly sessionId: string;
  readonly user: string;
  readonly issuedAtMs: number;
}

/** Signs an access token. */
export function signAccessToken(
  keys: KeyRing,
  { sessionId, user }: Omit<AccessClaims, "issuedAtMs">,
  { clock, lifetimeMs }: { readonly clock: Clock; readonly lifetimeMs: number },
): Promise<string> {
  const { id, privateKey } = keys.signer;
  const seconds = Math.floor(clock.now().getTime() / 1_000);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: algorithm, kid: id, typ: "at+jwt" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(user)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + Math.ceil(lifetimeMs / 1_000))
    .sign(privateKey);
}

/** The claims of a verified token, its key, and its expiration time. */
interface CheckedToken {
  readonly claims: AccessClaims;
  readonly kid: string;
  readonly publicKey: unknown;
  readonly expiresAtMs: number;
}

/**
 * Verifies access tokens. A browser sends the same token for a few minutes: its signature is verified once, and the
 * result is cached for as long as its key and the token are valid.
 */
export class AccessTokens {
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #most: number;
  /** Evicted in insertion order. */
  readonly #checked = new Map<string, CheckedToken>();

  constructor(keys: KeyRing, clock: Clock, most = 10_000) {
    this.#keys = keys;
    this.#clock = clock;
    this.#most = most;
  }

  /** The claims of a token; undefined if it is not ours, was modified, or has expired. */
  async read(token: string): Promise<AccessClaims | undefined> {
    const known = this.#checked.get(token);
    if (known !== undefined && this.#holds(known)) return known.claims;
    this.#checked.delete(token);
    const checked = await checkToken(this.#keys, token, this.#clock);
    if (checked === undefined) return undefined;
    this.#checked.set(token, checked);
    const oldest = this.#checked.keys().next();
    if (this.#checked.size > this.#most && oldest.done !== true) this.#checked.delete(oldest.value);
    return checked.claims;
  }

  #holds({ kid, publicKey, expiresAtMs }: CheckedToken): boolean {
    return expiresAtMs > this.#clock.now().getTime() && this.#keys.byId(kid)?.publicKey === publicKey;
  }
}

async function checkToken(keys: KeyRing, token: string, clock: Clock): Promise<CheckedToken | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => publicKeyOf(keys, kid), {
      issuer,
      audience,
      algorithms: [algorithm],
      typ: "at+jwt",
      requiredClaims: ["sid", "sub", "iat", "exp"],
      currentDate: clock.now(),
    });
    const { sid, sub, iat, exp } = payload;
    const { kid } = protectedHeader;
    if (typeof sid !== "string" || typeof sub !== "string" || iat === undefined || exp === undefined) return undefined;
    const claims = { sessionId: sid, user: sub, issuedAtMs: iat * 1_000 };
    return { claims, kid: kid ?? "", publicKey: publicKeyOf(keys, kid), expiresAtMs: exp * 1_000 };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function publicKeyOf(keys: KeyRing, kid: string | undefined) {
  const key = keys.byId(kid);
  if (key === undefined) throw new errors.JWKSNoMatchingKey();
  return key.publicKey;
}
