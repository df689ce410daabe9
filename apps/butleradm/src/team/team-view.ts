import { effectiveRole, type Team } from "@butler/api";
import { ageOf, type Column, factLines, type ObjectView, printable, renderTable, type Style } from "@butler/cli-kit";
import { findCondition, isBeingDeleted } from "@butler/resource";

const phaseStyles: Readonly<Record<string, Style>> = {
  Ready: "good",
  Pending: "busy",
  Failed: "bad",
  Terminating: "leaving",
};
const quotaStyles: Readonly<Record<string, Style>> = { OK: "good", Warning: "busy", Exceeded: "bad" };

/** Lifecycle phase of a team. */
export function teamPhase(team: Team): string {
  return isBeingDeleted(team) ? "Terminating" : (team.status?.phase ?? "Pending");
}

const count = (value: number | undefined): string => (value === undefined ? "-" : String(value));

/** How teams are displayed in lists. */
export function teamView(now: () => Date): ObjectView<Team> {
  return {
    nameOf: ({ metadata }) => `team/${metadata.name}`,
    columns: [
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "DISPLAY NAME", value: ({ spec }) => spec.displayName ?? "-" },
      { title: "PHASE", value: teamPhase, style: (team) => phaseStyles[teamPhase(team)] },
      { title: "CLUSTERS", value: ({ status }) => count(status?.clusterCount) },
      { title: "USERS", value: ({ spec }) => String(spec.access.users?.length ?? 0) },
      { title: "GROUPS", value: ({ spec }) => String(spec.access.groups?.length ?? 0) },
      {
        title: "QUOTA",
        value: ({ status }) => status?.quotaStatus ?? "-",
        style: ({ status }) => quotaStyles[status?.quotaStatus ?? ""],
      },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "ENVIRONMENTS", value: environmentNames, isWide: true },
      { title: "NAMESPACE", value: ({ status }) => status?.namespace ?? "-", isWide: true },
    ],
  };
}

function environmentNames({ spec }: Team): string {
  return (spec.environments ?? []).map(({ name }) => name).join(",") || "-";
}

interface Member {
  readonly who: string;
  readonly role: string;
  readonly where: string;
}

const memberColumns: readonly Column<Member>[] = [
  { title: "MEMBER", value: ({ who }) => who },
  { title: "ROLE", value: ({ role }) => role },
  { title: "SCOPE", value: ({ where }) => where },
];

/** All members of a team: users, then groups, then those of environments. */
export function membersOf({ spec }: Team): Member[] {
  const within = ({ users = [], groups = [] }: Team["spec"]["access"], where: string): Member[] => [
    ...users.map(({ name, role }) => ({ who: name, role: effectiveRole(role), where })),
    ...groups.map(({ name, role, identityProvider }) => ({
      who: `group ${name}${identityProvider ? ` of ${identityProvider}` : ""}`,
      role: effectiveRole(role),
      where,
    })),
  ];
  const inEnvironments = (spec.environments ?? []).flatMap(({ name, access }) =>
    within(access ?? {}, `environment ${name}`),
  );
  return [...within(spec.access, "team"), ...inEnvironments];
}

/** One team, line by line. */
export function describeTeam(team: Team, now: Date): string[] {
  const { metadata, spec, status } = team;
  const members = membersOf(team);
  return [
    ...factLines([
      ["Name", metadata.name],
      ["Display name", printable(spec.displayName ?? "")],
      ["Description", printable(spec.description ?? "")],
      ["Phase", teamPhase(team)],
      ["Reason", printable(reasonOf(team))],
      ["Namespace", status?.namespace],
      ["Clusters", count(status?.clusterCount)],
      ["Environments", environmentNames(team)],
      ["Quota", status?.quotaMessage],
      ["Age", ageOf(metadata.creationTimestamp, now)],
    ]),
    "",
    ...(members.length === 0 ? ["No members."] : renderTable(memberColumns, members)),
  ];
}

function reasonOf({ status }: Team): string {
  const ready = findCondition(status?.conditions, "Ready");
  return ready === undefined || ready.status === "True" ? "" : ready.message;
}
