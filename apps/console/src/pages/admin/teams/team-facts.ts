import type { CallInput, createTeam, listTeams, RouteAnswer } from "@butler/contract";

/** A team as the list has it. */
export type TeamRow = RouteAnswer<typeof listTeams>["teams"][number];

/** A new team as somebody writes it down. */
export interface TeamForm {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly maxClusters: string;
}

/** What is wrong with it, by the field. */
export function teamFaults({ name, maxClusters }: TeamForm): Readonly<Partial<Record<keyof TeamForm, string>>> {
  const isName = name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
  const isLimit = maxClusters === "" || /^[1-9]\d{0,5}$/.test(maxClusters);
  return {
    ...(!isName && { name: "Lower-case letters, digits and -, at most 63 of them." }),
    ...(!isLimit && { maxClusters: "Write a number from 1 on, or nothing." }),
  };
}

/** The request that makes the team. */
export function newTeamBody({
  name,
  displayName,
  description,
  maxClusters,
}: TeamForm): CallInput<typeof createTeam>["body"] {
  return {
    name,
    ...(displayName.trim() !== "" && { displayName: displayName.trim() }),
    ...(description.trim() !== "" && { description: description.trim() }),
    ...(maxClusters !== "" && { resourceLimits: { maxClusters: Number(maxClusters) } }),
  };
}

const count = (number: number, one: string, many = `${one}s`): string =>
  number === 1 ? `1 ${one}` : `${number} ${many}`;

/** What goes with a team, and why it cannot go yet. */
export function teamDeletion(team: TeamRow): { readonly effects: readonly string[]; readonly refusal?: string } {
  const { name, namespace, memberCount, groupCount, environments, clusterCount } = team;
  const effects = [
    `The team ${name} and its namespace ${namespace}, with all that is in it.`,
    `${count(memberCount, "person", "people")} and ${count(groupCount, "group")} lose their role in it; their accounts stay.`,
    environments.length === 0
      ? "It has no environments."
      : `${count(environments.length, "environment")}: ${environments.map((each) => each.name).join(", ")}.`,
  ];
  if (clusterCount === 0) return { effects };
  return { effects, refusal: `It has ${count(clusterCount, "cluster")}. Delete them, or move them, first.` };
}
