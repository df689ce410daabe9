import { type Caller, memberRoleOf } from "@butler/access";
import type { Team, TeamRole } from "@butler/api";
import { z } from "zod";

/** Time limits of a terminal. */
export const terminalTimes = {
  /** Maximum lifetime. */
  lifeSeconds: 3_600,
  /** Idle timeout. */
  idleSeconds: 900,
  /** Lifetime of a ticket. */
  ticketSeconds: 30,
  /** Interval of the serving replica's heartbeats... */
  beatSeconds: 20,
  /** ...and without a heartbeat for this long, it counts as dead and other replicas clean up. */
  silenceSeconds: 75,
} as const;

/** The ClusterRole of the user in the tenant while the terminal is open. */
export type TerminalRole = "view" | "cluster-admin";

/**
 * Operators administer their clusters here, because the shared admin kubeconfig is for admins only: the token of a
 * terminal is personal, and ends with the session or the role.
 */
const clusterRoles: Readonly<Record<TeamRole, TerminalRole>> = {
  viewer: "view",
  operator: "cluster-admin",
  admin: "cluster-admin",
};
const ranks: readonly TerminalRole[] = ["view", "cluster-admin"];

/** A terminal. Its record is created before all other objects, and deleted after them. */
export const terminalRecord = z.object({
  email: z.string(),
  sessionId: z.string(),
  cluster: z.object({ name: z.string(), namespace: z.string(), uid: z.string() }),
  /** The Secret with the tenant's kubeconfig. */
  tenant: z.object({ name: z.string(), namespace: z.string() }),
  role: z.enum(["view", "cluster-admin"]),
  createdAt: z.string(),
  beatAt: z.string(),
  /** Hash of the ticket; empty once it is used. */
  ticketHash: z.string(),
});
export type TerminalRecord = z.infer<typeof terminalRecord>;

/** The user's role in a terminal of a cluster; undefined if none. */
export function terminalRoleOf(
  caller: Caller,
  subject: { readonly team?: Team | undefined; readonly environment?: string | undefined },
): TerminalRole | undefined {
  const { team, environment } = subject;
  const own = team && memberRoleOf(team, caller.person, environment);
  const roles = [own, caller.platformRole].flatMap((role) => (role === undefined ? [] : [clusterRoles[role]]));
  return ranks.findLast((role) => roles.includes(role));
}

/** Whether the user still has at least the role that the terminal was opened with. */
export function stillHas(role: TerminalRole | undefined, opened: TerminalRole): boolean {
  return role !== undefined && ranks.indexOf(role) >= ranks.indexOf(opened);
}

/** The latest time at which a terminal is closed. */
export function lastMomentOf({ createdAt }: Pick<TerminalRecord, "createdAt">): Date {
  return new Date(Date.parse(createdAt) + terminalTimes.lifeSeconds * 1_000);
}

/** Whether no replica serves the terminal, so that it must be cleaned up. */
export function isAbandoned(record: TerminalRecord, now: Date): boolean {
  const silentMs = now.getTime() - Date.parse(record.beatAt);
  return now >= lastMomentOf(record) || silentMs > terminalTimes.silenceSeconds * 1_000;
}

/** Whether a ticket can still be used. */
export function isTicketDue({ createdAt }: TerminalRecord, now: Date): boolean {
  return now.getTime() - Date.parse(createdAt) <= terminalTimes.ticketSeconds * 1_000;
}
