import type { TeamRole } from "@butler/api";

/** The team roles in ascending order, with their permissions. */
export const teamRoles: readonly { readonly role: TeamRole; readonly word: string; readonly sentence: string }[] = [
  { role: "viewer", word: "Viewer", sentence: "can view everything except Secrets" },
  { role: "operator", word: "Operator", sentence: "can also create and change clusters" },
  { role: "admin", word: "Admin", sentence: "can also manage members, environments and settings" },
];

/** The roles as select options. */
export const roleOptions = teamRoles.map(({ role, word, sentence }) => ({
  value: role,
  label: `${word}: ${sentence}`,
}));

/** Display name of a role. */
export function roleWord(wanted: TeamRole): string {
  return teamRoles.find(({ role }) => role === wanted)?.word ?? wanted;
}

/** Parses a role from a form; defaults to viewer. */
export function roleOf(text: string): TeamRole {
  return teamRoles.find(({ role }) => role === text)?.role ?? "viewer";
}
