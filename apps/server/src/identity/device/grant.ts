import { z } from "zod";

/** Lifetime and polling interval of a code. */
export const deviceTimes = { lifeSeconds: 600, intervalSeconds: 5 } as const;

/** A command-line sign-in that waits for approval. Stored under the hash of its device code. */
export const deviceGrant = z.object({
  userCodeHash: z.string(),
  clientName: z.string(),
  sourceAddress: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  state: z.enum(["pending", "approved", "denied"]),
  /** The approving user, and their roles at approval. */
  approval: z.object({ userName: z.string(), userUid: z.string(), grants: z.array(z.string()) }).optional(),
});
export type DeviceGrant = z.infer<typeof deviceGrant>;

/** The verdict on a poll. */
export type PollVerdict = "EXPIRED_TOKEN" | "SLOW_DOWN" | "ACCESS_DENIED" | "AUTHORIZATION_PENDING" | "GRANT";

/** Facts to judge a poll by. */
export interface Poll {
  readonly now: Date;
  /** Time since the last poll; undefined for the first. */
  readonly sinceLastMs: number | undefined;
  /** Current roles of the approving user; undefined if the user may no longer sign in. */
  readonly grantsNow: readonly string[] | undefined;
}

/** Timers of clients are not exact. */
const leewayMs = 500;

/** Judges a poll. The approved roles are granted completely or not at all. */
export function judgePoll(grant: DeviceGrant | undefined, { now, sinceLastMs, grantsNow }: Poll): PollVerdict {
  if (grant === undefined || now >= new Date(grant.expiresAt)) return "EXPIRED_TOKEN";
  const isEarly = sinceLastMs !== undefined && sinceLastMs < deviceTimes.intervalSeconds * 1_000 - leewayMs;
  if (isEarly) return "SLOW_DOWN";
  if (grant.state === "pending") return "AUTHORIZATION_PENDING";
  if (grant.state === "denied" || grant.approval === undefined || grantsNow === undefined) return "ACCESS_DENIED";
  const isLess = grant.approval.grants.some((role) => !grantsNow.includes(role));
  return isLess ? "ACCESS_DENIED" : "GRANT";
}
