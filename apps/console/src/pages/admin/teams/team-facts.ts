import type { CallInput, createTeam, listTeams, RouteAnswer } from "@butler/contract";

/** A team in the list. */
export type TeamRow = RouteAnswer<typeof listTeams>["teams"][number];

/** Form state of a new team. */
export interface TeamForm {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly maxClusters: string;
}

/** Validation errors by field. */
export function teamFaults({ name, maxClusters }: TeamForm): Readonly<Partial<Record<keyof TeamForm, string>>> {
  const isName = name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
  const isLimit = maxClusters === "" || /^[1-9]\d{0,5}$/.test(maxClusters);
  return {
    ...(!isName && { name: "Use at most 63 lowercase letters, digits and '-'." }),
    ...(!isLimit && { maxClusters: "Enter a whole number of at least 1, or leave empty." }),
  };
}

/** The create request. */
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

/** Effects of deleting a team, and why it is blocked. */
export function teamDeletion(team: TeamRow): { readonly effects: readonly string[]; readonly refusal?: string } {
  const { name, namespace, memberCount, groupCount, environments, clusterCount } = team;
  const effects = [
    `Team ${name} and its namespace ${namespace} are deleted, with everything in them.`,
    `${count(memberCount, "person", "people")} and ${count(groupCount, "group")} lose their team roles. User accounts are kept.`,
    environments.length === 0
      ? "The team has no environments."
      : `${count(environments.length, "environment")}: ${environments.map((each) => each.name).join(", ")}.`,
  ];
  if (clusterCount === 0) return { effects };
  return { effects, refusal: `The team still has ${count(clusterCount, "cluster")}. Delete all clusters first.` };
}
