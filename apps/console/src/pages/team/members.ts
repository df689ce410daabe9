import { isSameEmail } from "@butler/access";
import type { TeamRole } from "@butler/api";
import type { listMembers, RouteAnswer } from "@butler/contract";
import { roleWord } from "../../parts/roles.ts";

/** Somebody in a team. */
export type Member = RouteAnswer<typeof listMembers>["members"][number];

/** Where somebody's role comes from, in words. */
export function accessWords({ source, groupName = "", groupRole, directRole }: Member): string {
  const group = `the group ${groupName}`;
  if (source === "direct") return "By name";
  if (source === "elevated" && groupRole !== undefined) return `By name; ${group} gives ${roleWord(groupRole)}`;
  return directRole === undefined ? `Through ${group}` : `Through ${group}; by name only ${roleWord(directRole)}`;
}

/** Why somebody's entry cannot be removed; undefined when it can. */
export function removalRefusal({ directRole, groupName = "", source }: Member): string | undefined {
  if (directRole !== undefined) return undefined;
  return source === "group" ? `Comes through the group ${groupName}: remove the group, or ask where it is kept.` : "";
}

/** What is left to somebody when their entry goes. */
export function removalSentence({ email, groupName = "", groupRole }: Member, me: string): string {
  const isOwn = isSameEmail(email, me);
  const who = isOwn ? "You" : email;
  if (groupRole !== undefined) {
    const verb = isOwn ? "stay" : "stays";
    return `${who} ${verb} in the team: the group ${groupName} still gives the role ${roleWord(groupRole)}.`;
  }
  return isOwn
    ? "You lose all access to the team at once, and cannot add yourself again. Clusters stay."
    : `${who} loses all access to the team at once. Clusters of theirs stay.`;
}

/** Whether somebody takes the role of an admin from themselves, which is worth a question. */
export function isStepDown({ email, role }: Member, wanted: TeamRole, me: string): boolean {
  return isSameEmail(email, me) && role === "admin" && wanted !== "admin";
}

/** What a list of people is narrowed to. */
export interface MembersSelection {
  readonly q?: string | undefined;
  readonly role?: TeamRole | undefined;
}

/** People in whom every word occurs, with the role that is wanted. */
export function selectMembers(members: readonly Member[], { q = "", role }: MembersSelection): Member[] {
  const words = q.toLowerCase().split(/\s+/);
  return members.filter((member) => {
    const text = `${member.email} ${member.name} ${member.groupName ?? ""}`.toLowerCase();
    return (role === undefined || member.role === role) && words.every((word) => text.includes(word));
  });
}
