import { isSameEmail } from "@butler/access";
import type { TeamRole } from "@butler/api";
import type { listMembers, RouteAnswer } from "@butler/contract";
import { roleWord } from "../../parts/roles.ts";

/** A member of a team. */
export type Member = RouteAnswer<typeof listMembers>["members"][number];

/** Source of a role for display. */
export function accessWords({ source, groupName = "", groupRole, directRole }: Member): string {
  const group = `group ${groupName}`;
  if (source === "direct") return "Direct";
  if (source === "elevated" && groupRole !== undefined) return `Direct; ${group} grants ${roleWord(groupRole)}`;
  return directRole === undefined ? `Through ${group}` : `Through ${group}; direct role is ${roleWord(directRole)}`;
}

/** Why a direct role cannot be removed; undefined if it can. */
export function removalRefusal({ directRole, groupName = "", source }: Member): string | undefined {
  if (directRole !== undefined) return undefined;
  return source === "group"
    ? `Member through group ${groupName}. To remove the member, remove the group or edit it in the identity provider.`
    : "";
}

/** Access that remains after removing the direct role. */
export function removalSentence({ email, groupName = "", groupRole }: Member, me: string): string {
  const isOwn = isSameEmail(email, me);
  const who = isOwn ? "You" : email;
  if (groupRole !== undefined) {
    const verb = isOwn ? "stay" : "stays";
    return `${who} ${verb} in the team: group ${groupName} still grants the ${roleWord(groupRole)} role.`;
  }
  return isOwn
    ? "You lose all access to the team immediately and cannot add yourself again. Clusters are kept."
    : `${who} loses all access to the team immediately. Their clusters are kept.`;
}

/** Whether users revoke their own admin role, which needs confirmation. */
export function isStepDown({ email, role }: Member, wanted: TeamRole, me: string): boolean {
  return isSameEmail(email, me) && role === "admin" && wanted !== "admin";
}

/** Filter of the member list. */
export interface MembersSelection {
  readonly q?: string | undefined;
  readonly role?: TeamRole | undefined;
}

/** Members that contain every word and have the role. */
export function selectMembers(members: readonly Member[], { q = "", role }: MembersSelection): Member[] {
  const words = q.toLowerCase().split(/\s+/);
  return members.filter((member) => {
    const text = `${member.email} ${member.name} ${member.groupName ?? ""}`.toLowerCase();
    return (role === undefined || member.role === role) && words.every((word) => text.includes(word));
  });
}
