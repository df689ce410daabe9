import { type Caller, memberRoleOf } from "@butler/access";
import type { Team, TeamRole } from "@butler/api";
import { z } from "zod";

/** How long a terminal may be. */
export const terminalTimes = {
  /** At the latest, it ends then. */
  lifeSeconds: 3_600,
  /** Nobody has typed for so long. */
  idleSeconds: 900,
  /** A ticket has to be used by then. */
  ticketSeconds: 30,
  /** The replica that serves it says so this often... */
  beatSeconds: 20,
  /** ...and when it has not for so long, it is gone, and others clear up. */
  silenceSeconds: 75,
} as const;

/** The ClusterRole of Kubernetes that somebody has in a tenant while the terminal is open. */
export type TerminalRole = "view" | "cluster-admin";

/** Operators get the administrator's kubeconfig of their clusters; a terminal that could do less would only be in the way. */
const clusterRoles: Readonly<Record<TeamRole, TerminalRole>> = {
  viewer: "view",
  operator: "cluster-admin",
  admin: "cluster-admin",
};
const ranks: readonly TerminalRole[] = ["view", "cluster-admin"];

/** A terminal. The record is there before anything else is made, and goes after everything else is gone. */
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

/** What somebody may do in a cluster with a terminal; undefined when nothing. */
export function terminalRoleOf(
  caller: Caller,
  subject: { readonly team?: Team | undefined; readonly environment?: string | undefined },
): TerminalRole | undefined {
  const { team, environment } = subject;
  const own = team && memberRoleOf(team, caller.person, environment);
  const roles = [own, caller.platformRole].flatMap((role) => (role === undefined ? [] : [clusterRoles[role]]));
  return ranks.findLast((role) => roles.includes(role));
}

/** Whether somebody still has at least what a terminal was opened with. */
export function stillHas(role: TerminalRole | undefined, opened: TerminalRole): boolean {
  return role !== undefined && ranks.indexOf(role) >= ranks.indexOf(opened);
}

/** When a terminal ends at the latest. */
export function lastMomentOf({ createdAt }: Pick<TerminalRecord, "createdAt">): Date {
  return new Date(Date.parse(createdAt) + terminalTimes.lifeSeconds * 1_000);
}

/** Whether nobody serves a terminal any more, so that whoever sees it has to clear up. */
export function isAbandoned(record: TerminalRecord, now: Date): boolean {
  const silentMs = now.getTime() - Date.parse(record.beatAt);
  return now >= lastMomentOf(record) || silentMs > terminalTimes.silenceSeconds * 1_000;
}

/** Whether a ticket can still be used. */
export function isTicketDue({ createdAt }: TerminalRecord, now: Date): boolean {
  return now.getTime() - Date.parse(createdAt) <= terminalTimes.ticketSeconds * 1_000;
}
