import type { TeamRole } from "@butler/api";

/** The roles of a team from the least to the most, with what each lets people do. */
export const teamRoles: readonly { readonly role: TeamRole; readonly word: string; readonly sentence: string }[] = [
  { role: "viewer", word: "Viewer", sentence: "sees everything but secrets" },
  { role: "operator", word: "Operator", sentence: "makes and changes clusters" },
  { role: "admin", word: "Admin", sentence: "also members, environments and settings" },
];

/** The roles as choices of a form. */
export const roleOptions = teamRoles.map(({ role, word, sentence }) => ({
  value: role,
  label: `${word}: ${sentence}`,
}));

/** The word for a role. */
export function roleWord(wanted: TeamRole): string {
  return teamRoles.find(({ role }) => role === wanted)?.word ?? wanted;
}

/** The role that a choice of a form stands for; the least when it is none. */
export function roleOf(text: string): TeamRole {
  return teamRoles.find(({ role }) => role === text)?.role ?? "viewer";
}
