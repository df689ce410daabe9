import { base64url, EncryptJWT, errors, jwtDecrypt } from "jose";
import type { Clock } from "@butler/std";
import { z } from "zod";
import type { KeyRing } from "../sessions/signing-keys.ts";

/** How long a user may take to sign in at the provider. */
export const signInLifetimeMs = 10 * 60_000;

const schema = z.object({
  provider: z.string(),
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  /** Id of the session to create: chosen here, so that it can be created only once. */
  sessionId: z.string(),
});

/** The state of a pending sign-in. Only the browser that started it has it, and only the server can read it. */
export type SignInState = z.output<typeof schema>;

const algorithm = { alg: "dir", enc: "A256GCM" } as const;

/** Seals the state of a sign-in, so that it can be kept in a cookie and read by any replica. */
export function sealState(keys: KeyRing, state: SignInState, clock: Clock): Promise<string> {
  const { id, sealKey } = keys.signer;
  const seconds = Math.floor(clock.now().getTime() / 1_000);
  return new EncryptJWT({ ...state })
    .setProtectedHeader({ ...algorithm, kid: id, typ: "butler-sign-in" })
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + signInLifetimeMs / 1_000)
    .encrypt(sealKey);
}

/** Opens a sealed state; undefined if it is not ours, was modified, or is too old. */
export async function openState(keys: KeyRing, sealed: string, clock: Clock): Promise<SignInState | undefined> {
  try {
    const { payload } = await jwtDecrypt(sealed, ({ kid }) => sealKeyOf(keys, kid), {
      typ: "butler-sign-in",
      requiredClaims: ["exp"],
      keyManagementAlgorithms: [algorithm.alg],
      contentEncryptionAlgorithms: [algorithm.enc],
      currentDate: clock.now(),
    });
    const state = schema.safeParse(payload);
    return state.success ? state.data : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function sealKeyOf(keys: KeyRing, kid: string | undefined): Uint8Array {
  const key = keys.byId(kid);
  if (key === undefined) throw new errors.JWKSNoMatchingKey();
  return key.sealKey;
}

/** Name of the cookie of a sign-in: several can be under way in one browser. */
export function stateCookieName(state: string): string {
  return `butler_signin_${base64url.encode(state).slice(0, 12).replaceAll(/\W/g, "")}`;
}

/** Longer paths would not fit into a cookie. */
const longestReturnTo = 1_024;

/** The redirect after a sign-in: a path on this server, otherwise `/`. */
export function safeReturnTo(wanted: string | undefined): string {
  if (wanted === undefined || !/^\/(?![/\\])/.test(wanted) || /[\p{Cc}\\]/u.test(wanted)) return "/";
  const base = "https://butler.invalid";
  if (!URL.canParse(wanted, base)) return "/";
  const url = new URL(wanted, base);
  const path = url.pathname + url.search + url.hash;
  // Browsers resolve dot segments, and the result may begin with two slashes.
  return url.origin === base && !path.startsWith("//") && path.length <= longestReturnTo ? path : "/";
}
