import type { User } from "@butler/api";
import { z } from "zod";
import { hashOf, isHashOf } from "./secrets.ts";

/** Lifetimes of a command line's credentials. */
export const cliLifetimes = {
  /** Access token and ServiceAccount token. */
  accessSeconds: 3_600,
  /** A sign-in that is not refreshed for this long expires. */
  idleSeconds: 7 * 24 * 3_600,
  /** Maximum age of a sign-in, however often it is refreshed. */
  totalSeconds: 30 * 24 * 3_600,
  /** How long the groups of an account count after its identity provider has reported them. */
  groupSeconds: 24 * 3_600,
  /** Two processes of one user may refresh concurrently; the later one gets a conflict, and the sign-in continues. */
  graceSeconds: 10,
} as const;

/** A signed-in command line. */
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

/** Number of remembered exchanged tokens; older ones are rejected without ending the sign-in. */
const mostUsedHashes = 20;

/** The account of a sign-in, and what its identity provider can do. */
export interface LoginAccount {
  readonly user: Pick<User, "spec" | "status">;
  /** Whether the provider reports groups at any time, and not only while the user signs in. */
  readonly canAskGroups: boolean;
}

/** When a sign-in ends unless it is refreshed. Groups that cannot be asked for again end it a day after the last report. */
export function endOf(login: CliLogin, { user, canAskGroups }: LoginAccount): Date {
  const idle = Date.parse(login.refreshedAt) + cliLifetimes.idleSeconds * 1_000;
  const total = Date.parse(login.createdAt) + cliLifetimes.totalSeconds * 1_000;
  const groups = canAskGroups ? Infinity : groupsEndMsOf(login, user);
  return new Date(Math.min(idle, total, groups));
}

/** Until when the reported groups of an account count; forever for an account with a password, which has none. */
export function groupsEndMsOf({ createdAt }: CliLogin, { spec, status }: LoginAccount["user"]): number {
  if (spec.authType !== "sso") return Infinity;
  // Accounts of earlier versions have no time of their groups: these were reported at the last sign-in.
  const reportedAt = status?.groupsResolvedAt ?? status?.lastLoginTime ?? createdAt;
  return Date.parse(reportedAt) + cliLifetimes.groupSeconds * 1_000;
}

/** When the access token of a sign-in ends. */
export function accessEndOf({ refreshedAt }: CliLogin): Date {
  return new Date(Date.parse(refreshedAt) + cliLifetimes.accessSeconds * 1_000);
}

/** The verdict on a refresh. */
export type RefreshVerdict = "rotate" | "raced" | "reused" | "ended" | "unknown";

/** The time of a request, and the end of its sign-in. */
export interface LoginTimes {
  readonly now: Date;
  readonly end: Date;
}

/** Judges a refresh token. Reuse of an exchanged token indicates theft and ends the sign-in. */
export function judgeRefresh(login: CliLogin, secret: string, { now, end }: LoginTimes): RefreshVerdict {
  if (now >= end) return "ended";
  if (isHashOf(login.refreshHash, secret)) return "rotate";
  const at = login.usedHashes.findIndex((hash) => isHashOf(hash, secret));
  if (at < 0) return "unknown";
  const sinceMs = now.getTime() - Date.parse(login.refreshedAt);
  return at === 0 && sinceMs < cliLifetimes.graceSeconds * 1_000 ? "raced" : "reused";
}

/** A sign-in with its tokens replaced by new ones. */
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

/** Whether a secret is the valid access token of a sign-in. */
export function isAccess(login: CliLogin, secret: string, { now, end }: LoginTimes): boolean {
  return isHashOf(login.accessHash, secret) && now < accessEndOf(login) && now < end;
}
