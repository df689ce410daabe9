import { z } from "zod";
import { hashOf, isHashOf } from "./secrets.ts";

/** How long what a command line holds is good for. */
export const cliLifetimes = {
  /** Access token and ServiceAccount token. */
  accessSeconds: 3_600,
  /** A sign-in that is not refreshed for so long is over. */
  idleSeconds: 7 * 24 * 3_600,
  /** And so is one that is this old, however often it is refreshed. */
  totalSeconds: 30 * 24 * 3_600,
  /** Two processes of one person may refresh at the same moment; the later one is told so, and nothing ends. */
  graceSeconds: 10,
} as const;

/** A command line that is signed in. */
export const cliLogin = z.object({
  userUid: z.string(),
  userName: z.string(),
  clientName: z.string(),
  sourceAddress: z.string(),
  createdAt: z.string(),
  refreshedAt: z.string(),
  accessHash: z.string(),
  refreshHash: z.string(),
  /** Hashes of refresh tokens that were exchanged already, newest first. */
  usedHashes: z.array(z.string()),
});
export type CliLogin = z.infer<typeof cliLogin>;

/** How many exchanged tokens are remembered; one that is older ends nothing, but is not taken either. */
const mostUsedHashes = 20;

/** When a sign-in ends unless it is refreshed. */
export function endOf({ createdAt, refreshedAt }: CliLogin): Date {
  const idle = Date.parse(refreshedAt) + cliLifetimes.idleSeconds * 1_000;
  const total = Date.parse(createdAt) + cliLifetimes.totalSeconds * 1_000;
  return new Date(Math.min(idle, total));
}

/** When the access token of a sign-in ends. */
export function accessEndOf({ refreshedAt }: CliLogin): Date {
  return new Date(Date.parse(refreshedAt) + cliLifetimes.accessSeconds * 1_000);
}

/** What is to become of an attempt to refresh. */
export type RefreshVerdict = "rotate" | "raced" | "reused" | "ended" | "unknown";

/** Judges a refresh token. One that was exchanged before is in the wrong hands now or then: the sign-in has to end. */
export function judgeRefresh(login: CliLogin, secret: string, now: Date): RefreshVerdict {
  if (now >= endOf(login)) return "ended";
  if (isHashOf(login.refreshHash, secret)) return "rotate";
  const at = login.usedHashes.findIndex((hash) => isHashOf(hash, secret));
  if (at < 0) return "unknown";
  const sinceMs = now.getTime() - Date.parse(login.refreshedAt);
  return at === 0 && sinceMs < cliLifetimes.graceSeconds * 1_000 ? "raced" : "reused";
}

/** A sign-in with new tokens in the place of its old ones. */
export function rotated(
  login: CliLogin,
  { access, refresh, now }: { readonly access: string; readonly refresh: string; readonly now: Date },
): CliLogin {
  return {
    ...login,
    refreshedAt: now.toISOString(),
    accessHash: hashOf(access),
    refreshHash: hashOf(refresh),
    usedHashes: [login.refreshHash, ...login.usedHashes].slice(0, mostUsedHashes),
  };
}

/** Whether a secret is the access token of a sign-in that still counts. */
export function isAccess(login: CliLogin, secret: string, now: Date): boolean {
  return isHashOf(login.accessHash, secret) && now < accessEndOf(login) && now < endOf(login);
}
