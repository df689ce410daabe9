import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { namespaces } from "@butler/api";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { z } from "zod";

/** Label of everything that signing in keeps in Secrets; its value says what a Secret is. */
export const signInLabel = "butler.butlerlabs.dev/sign-in";

/** Label with the uid of the account that a session belongs to. */
export const sessionUserLabel = "butler.butlerlabs.dev/session-user";

/** Type of the Secrets that sessions are kept in. */
export const sessionSecretType = "butler.butlerlabs.dev/session";

const dataKey = "session";

const schema = z.object({
  id: z.string(),
  /** Name and uid of the account: a recreated account of the same name is a different one. */
  user: z.string(),
  userUid: z.string(),
  method: z.enum(["password", "oidc"]),
  provider: z.string().optional(),
  issuer: z.string().optional(),
  subject: z.string().optional(),
  /** Name of the Secret with the password that it was opened with: a password change ends the session. */
  credential: z.string().optional(),
  /** The provider's session id, by which the provider can end our session. */
  providerSession: z.string().optional(),
  createdAt: z.number(),
  /** Absolute expiration time. */
  expiresAt: z.number(),
  /** When its refresh token was last used. */
  usedAt: z.number(),
  refreshHash: z.string(),
  /** Previously used tokens; reuse of one indicates theft. */
  spentHashes: z.array(z.string()),
  csrfKey: z.string(),
  sourceAddress: z.string(),
  userAgent: z.string(),
});

/** A session as stored: it contains no usable credentials. */
export type SessionRecord = z.output<typeof schema>;

/** Lifetimes of a session and its tokens. */
export interface SessionTimes {
  readonly accessMs: number;
  readonly absoluteMs: number;
  readonly idleMs: number;
  /**
   * Grace period in which a second refresh gets a conflict rather than counting as theft: two pages may refresh at
   * once.
   */
  readonly leewayMs: number;
}

/** Defaults. */
export const defaultTimes: SessionTimes = {
  accessMs: 5 * 60_000,
  absoluteMs: 12 * 3_600_000,
  idleMs: 3_600_000,
  leewayMs: 5_000,
};

/** More tokens than a session uses if it is refreshed as often as required. */
const mostSpent = 400;

/** Whether a session has expired. */
export function isOver({ expiresAt, usedAt }: SessionRecord, { idleMs }: SessionTimes, nowMs: number): boolean {
  return nowMs >= expiresAt || nowMs >= usedAt + idleMs;
}

/** The verdict on a presented refresh token. */
export type RefreshVerdict =
  | { readonly kind: "rotate"; readonly next: SessionRecord }
  /** Just used by another page of the same browser: issues no new token, and does not end the session. */
  | { readonly kind: "busy" }
  | { readonly kind: "stolen" }
  | { readonly kind: "refused" };

/** Facts of a refresh. */
export interface RefreshQuestion {
  readonly presented: string;
  /** Hash of the token that takes its place. */
  readonly nextHash: string;
  readonly nowMs: number;
  readonly times: SessionTimes;
}

/** Judges a refresh token: it is valid once, and reuse indicates that it was copied. */
export function judgeRefresh(record: SessionRecord, question: RefreshQuestion): RefreshVerdict {
  const { presented, nextHash, nowMs, times } = question;
  if (isOver(record, times, nowMs)) return { kind: "refused" };
  const hash = hashOf(presented);
  if (isSameText(hash, record.refreshHash)) {
    const spentHashes = [...record.spentHashes, hash].slice(-mostSpent);
    return { kind: "rotate", next: { ...record, refreshHash: nextHash, spentHashes, usedAt: nowMs } };
  }
  if (!record.spentHashes.includes(hash)) return { kind: "refused" };
  const isLatest = record.spentHashes.at(-1) === hash;
  return isLatest && nowMs < record.usedAt + times.leewayMs ? { kind: "busy" } : { kind: "stolen" };
}

/** The hash of a secret. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Compares two texts in constant time. */
export function isSameText(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** The CSRF token of a session. */
export function csrfTokenOf({ id, csrfKey }: Pick<SessionRecord, "id" | "csrfKey">): string {
  return createHmac("sha256", csrfKey).update(id).digest("base64url");
}

/** Name of the Secret of a session. */
export function sessionKey(id: string): { readonly name: string; readonly namespace: string } {
  return { name: `butler-session-${id}`, namespace: namespaces.system };
}

/** A session as a Secret. */
export function secretOfSession(record: SessionRecord, resourceVersion?: string): KubeObject {
  const data = { [dataKey]: Buffer.from(JSON.stringify(record)).toString("base64") };
  const labels = { [signInLabel]: "session", [sessionUserLabel]: record.userUid };
  const metadata = { ...sessionKey(record.id), labels, ...(resourceVersion && { resourceVersion }) };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, type: sessionSecretType, data };
  return secret;
}

const parsed = new WeakMap<DynamicObject, SessionRecord | undefined>();

/** The session in a Secret; undefined when there is none that could be read. */
export function sessionOfSecret(secret: DynamicObject | undefined): SessionRecord | undefined {
  if (secret === undefined) return undefined;
  if (!parsed.has(secret)) parsed.set(secret, readSecret(secret));
  return parsed.get(secret);
}

function readSecret(secret: DynamicObject): SessionRecord | undefined {
  const record = schema.safeParse(jsonIn(secret, dataKey));
  const isRight = record.success && secret["type"] === sessionSecretType;
  return isRight && sessionKey(record.data.id).name === secret.metadata.name ? record.data : undefined;
}

/** The text under a key of a Secret. */
export function textIn(secret: DynamicObject | undefined, key: string): string | undefined {
  const data = secret?.["data"];
  const value = isRecord(data) ? data[key] : undefined;
  return typeof value === "string" ? Buffer.from(value, "base64").toString() : undefined;
}

/** The JSON under a key of a Secret; undefined when there is none. */
export function jsonIn(secret: DynamicObject | undefined, key: string): unknown {
  try {
    return JSON.parse(textIn(secret, key) ?? "null") as unknown;
  } catch {
    return undefined;
  }
}
