import { z } from "zod";

/** How long a code lives, and how often its result may be asked for. */
export const deviceTimes = { lifeSeconds: 600, intervalSeconds: 5 } as const;

/** A command line that waits for somebody's decision. It is kept under the hash of its device code. */
export const deviceGrant = z.object({
  userCodeHash: z.string(),
  clientName: z.string(),
  sourceAddress: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  state: z.enum(["pending", "approved", "denied"]),
  /** Who has approved, and which roles they had then. */
  approval: z.object({ userName: z.string(), userUid: z.string(), grants: z.array(z.string()) }).optional(),
});
export type DeviceGrant = z.infer<typeof deviceGrant>;

/** What is answered to a command line that asks for the result. */
export type PollVerdict = "EXPIRED_TOKEN" | "SLOW_DOWN" | "ACCESS_DENIED" | "AUTHORIZATION_PENDING" | "GRANT";

/** What a question for the result is judged by. */
export interface Poll {
  readonly now: Date;
  /** How long ago the last question was; undefined for the first. */
  readonly sinceLastMs: number | undefined;
  /** Roles of whoever has approved, as they are now; undefined when they may not sign in any more. */
  readonly grantsNow: readonly string[] | undefined;
}

/** Timers of clients are not exact. */
const leewayMs = 500;

/** Judges a question for the result. What was approved is handed out whole or not at all. */
export function judgePoll(grant: DeviceGrant | undefined, { now, sinceLastMs, grantsNow }: Poll): PollVerdict {
  if (grant === undefined || now >= new Date(grant.expiresAt)) return "EXPIRED_TOKEN";
  const isEarly = sinceLastMs !== undefined && sinceLastMs < deviceTimes.intervalSeconds * 1_000 - leewayMs;
  if (isEarly) return "SLOW_DOWN";
  if (grant.state === "pending") return "AUTHORIZATION_PENDING";
  if (grant.state === "denied" || grant.approval === undefined || grantsNow === undefined) return "ACCESS_DENIED";
  const isLess = grant.approval.grants.some((role) => !grantsNow.includes(role));
  return isLess ? "ACCESS_DENIED" : "GRANT";
}
