import { clusterState, effectiveLimits, type State, type Team, type Tone } from "@butler/api";
import { ageOf } from "@butler/cli-kit";
import { type Line } from "../view/line.ts";
import { conditionSection, type Fact, factLines, section, tableLines } from "./sections.ts";
import { defineTab, type DetailsContext, type Section } from "./tab.ts";
import { stateText, toneOrder } from "./tones.ts";
import { teamOf, versionText } from "./clusters.ts";
import { workersText } from "@butler/diagnosis";

const tones: Readonly<Record<string, Tone>> = {
  Pending: "working",
  Ready: "ready",
  Terminating: "working",
  Failed: "failed",
};

/** The state of a team. One that exceeds its limits needs attention. */
export function teamState({ metadata, status }: Team): State {
  const phase = metadata.deletionTimestamp === undefined ? (status?.phase ?? "Pending") : "Terminating";
  const tone = tones[phase] ?? "unknown";
  if (tone === "ready" && status?.quotaStatus === "Exceeded") return { tone: "failed", word: "Over quota" };
  if (tone === "ready" && status?.quotaStatus === "Warning") return { tone: "attention", word: "Near quota" };
  return { tone, word: phase };
}

/** Usage and limit as text; a dash when unlimited. */
function ofLimit(used: string | number | undefined, limit: string | number | undefined): string {
  return `${used ?? 0}/${limit ?? "-"}`;
}

function limitsOf({ spec }: Team) {
  return spec.resourceLimits === undefined ? undefined : effectiveLimits(spec.resourceLimits);
}

/** Every team. */
export const teams = defineTab<Team>({
  id: "teams",
  title: "Teams",
  sources: ["teams"],
  items: (snapshot) => snapshot.teams,
  keyOf: ({ metadata }) => metadata.name,
  columns: [
    { title: "NAME", value: ({ metadata }) => metadata.name, widest: 32 },
    {
      title: "STATE",
      value: (team) => stateText(teamState(team)),
      look: (team) => teamState(team).tone,
      sortBy: (team) => toneOrder.indexOf(teamState(team).tone),
    },
    {
      title: "CLUSTERS",
      value: (team) =>
        ofLimit(team.status?.resourceUsage?.clusters ?? team.status?.clusterCount, limitsOf(team)?.maxClusters),
      sortBy: ({ status }) => status?.resourceUsage?.clusters ?? 0,
      align: "right",
    },
    {
      title: "NODES",
      value: (team) => ofLimit(team.status?.resourceUsage?.totalNodes, limitsOf(team)?.maxTotalNodes),
      sortBy: ({ status }) => status?.resourceUsage?.totalNodes ?? 0,
      align: "right",
    },
    {
      title: "CPU",
      value: (team) => ofLimit(team.status?.resourceUsage?.totalCPU, limitsOf(team)?.maxCPUCores),
      align: "right",
    },
    {
      title: "MEMORY",
      value: (team) => ofLimit(team.status?.resourceUsage?.totalMemory, limitsOf(team)?.maxMemory),
      align: "right",
    },
    {
      title: "AGE",
      value: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
      sortBy: ({ metadata }) => -Date.parse(metadata.creationTimestamp ?? ""),
      align: "right",
    },
    { title: "MEMBERS", value: ({ status }) => String(status?.memberCount ?? "-"), align: "right", drop: 2 },
    { title: "ENVIRONMENTS", value: ({ spec }) => environmentsOf(spec) || "-", drop: 3, widest: 32 },
    { title: "DISPLAY NAME", value: ({ spec }) => spec.displayName ?? "", drop: 4, isFilling: true },
  ],
  sort: { column: 0, isDescending: false },
  empty: { sentence: "No teams yet.", hint: "Create one: butleradm team create NAME" },
  details: teamDetails,
});

function environmentsOf({ environments }: Team["spec"]): string {
  return (environments ?? []).map(({ name }) => name).join(", ");
}

function teamDetails(team: Team, context: DetailsContext): Section[] {
  const { width, now } = context;
  const { metadata, spec, status } = team;
  const state = teamState(team);
  const facts: Fact[] = [
    ["Name", metadata.name],
    ["Display name", spec.displayName],
    ["State", stateText(state), state.tone],
    ["Quota", status?.quotaMessage],
    ["Namespace", status?.namespace],
    ["Environments", environmentsOf(spec)],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
  return [
    { title: "Team", lines: factLines(facts, width) },
    ...section("Quota", useLines(team, width)),
    ...section("Members", peopleLines(team, width)),
    ...section("Clusters", clusterLines(team, context)),
    ...conditionSection(status?.conditions, context),
  ];
}

function useLines(team: Team, width: number): Line[] {
  const { resourceUsage: use = {}, clusterCount } = team.status ?? {};
  const limits: Partial<ReturnType<typeof effectiveLimits>> = limitsOf(team) ?? {};
  const rows = [
    ["clusters", use.clusters ?? clusterCount, limits.maxClusters],
    ["worker nodes", use.totalNodes, limits.maxTotalNodes],
    ["CPU cores", use.totalCPU, limits.maxCPUCores],
    ["memory", use.totalMemory, limits.maxMemory],
    ["storage", use.totalStorage, limits.maxStorage],
  ].map(([what, used, limit]) => [String(what), String(used ?? 0), String(limit ?? "no limit")]);
  return tableLines([["RESOURCE", "USED", "LIMIT"], ...rows], width);
}

function peopleLines({ spec }: Team, width: number): Line[] {
  const { users = [], groups = [] } = spec.access ?? {};
  const rows = [
    ...users.map(({ name, role }) => [name, role, "user"]),
    ...groups.map(({ name, role }) => [name, role, "group"]),
  ];
  return rows.length === 0 ? [] : tableLines([["NAME", "ROLE", "KIND"], ...rows], width);
}

function clusterLines({ metadata }: Team, { snapshot, width }: DetailsContext): Line[] {
  const own = snapshot.clusters.filter((cluster) => teamOf(cluster) === metadata.name);
  const rows = own.map((cluster) => [
    cluster.metadata.name,
    stateText(clusterState(cluster)),
    versionText(cluster),
    workersText(cluster),
  ]);
  const look = (at: number) => (own[at] === undefined ? undefined : clusterState(own[at]).tone);
  return rows.length === 0 ? [] : tableLines([["NAME", "STATE", "VERSION", "WORKERS"], ...rows], width, look);
}
