import type { CallInput, updateTeam } from "@butler/contract";
import type { TeamView } from "../../session/me.ts";
import { type DefaultsDraft, defaultsDraft, defaultsFaults, writtenDefaults } from "./cluster-defaults.ts";
import { changedParts } from "./numbers.ts";

/** The settings of a team as somebody writes them. */
export interface SettingsDraft {
  readonly displayName: string;
  readonly description: string;
  readonly defaults: DefaultsDraft;
}

type TeamChange = NonNullable<CallInput<typeof updateTeam>["body"]>;

/** What the form begins with. */
export function settingsDraft({ displayName, description, clusterDefaults }: TeamView): SettingsDraft {
  return { displayName, description, defaults: defaultsDraft(clusterDefaults) };
}

function writtenParts(draft: SettingsDraft, team: TeamView) {
  return {
    displayName: draft.displayName.trim(),
    description: draft.description.trim(),
    clusterDefaults: writtenDefaults(draft.defaults, team.clusterDefaults),
  };
}

/**
 * What is asked of the server: what differs from the team as the form was opened with it, undefined when nothing does. It
 * is meant for the newest version of the team, unless that one has other settings than the form began with: then for
 * the old one, so that the server refuses it.
 */
export function teamChange(draft: SettingsDraft, opened: TeamView, current: TeamView): TeamChange | undefined {
  const change = changedParts(writtenParts(settingsDraft(opened), opened), writtenParts(draft, opened));
  if (Object.keys(change).length === 0) return undefined;
  const { resourceVersion } = isChangedElsewhere(opened, current) ? opened : current;
  return { ...change, ...(resourceVersion && { resourceVersion }) };
}

/** Whether somebody else has changed the settings meanwhile; that the state of the team has changed is no matter. */
export function isChangedElsewhere(opened: TeamView, current: TeamView): boolean {
  const [before, after] = [opened, current].map((team) => writtenParts(settingsDraft(team), team));
  return before !== undefined && after !== undefined && Object.keys(changedParts(before, after)).length > 0;
}

/** What is wrong with what is written, by the path of the field. */
export function settingsFaults({
  displayName,
  description,
  defaults,
}: SettingsDraft): Readonly<Record<string, string>> {
  return {
    ...(displayName.length > 1000 && { displayName: "At most 1000 characters." }),
    ...(description.length > 1000 && { description: "At most 1000 characters." }),
    ...defaultsFaults(defaults),
  };
}

/** The limits of a team in words; empty when it has none of its own. */
export function limitFacts({ resourceLimits }: TeamView): readonly (readonly [string, string])[] {
  const limits: Partial<NonNullable<TeamView["resourceLimits"]>> = resourceLimits ?? {};
  const facts = [
    ["Clusters", limits.maxClusters],
    ["Workers of one cluster", limits.maxNodesPerCluster],
    ["Worker machines", limits.maxTotalNodes],
    ["CPU cores", limits.maxCPUCores ?? limits.maxTotalCPU],
    ["Memory", limits.maxMemory ?? limits.maxTotalMemory],
    ["Disk", limits.maxStorage ?? limits.maxTotalStorage],
    ["Kubernetes versions", listed(limits.allowedKubernetesVersions)],
    ["Providers", listed(limits.allowedProviders)],
    ["Add-ons", listed(limits.allowedAddons)],
    ["Add-ons not allowed", listed(limits.deniedAddons)],
  ] as const;
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
}

function listed(names: readonly string[] | undefined): string | undefined {
  return names === undefined || names.length === 0 ? undefined : names.join(", ");
}
