import type { CallInput, updateTeam } from "@butler/contract";
import type { TeamView } from "../../session/me.ts";
import { type DefaultsDraft, defaultsDraft, defaultsFaults, writtenDefaults } from "./cluster-defaults.ts";
import { changedParts } from "./numbers.ts";

/** Form state of team settings. */
export interface SettingsDraft {
  readonly displayName: string;
  readonly description: string;
  readonly defaults: DefaultsDraft;
}

type TeamChange = NonNullable<CallInput<typeof updateTeam>["body"]>;

/** Initial form state. */
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
 * The update request with the changes since the form was opened; undefined without changes. It uses the newest
 * resourceVersion, unless the settings were changed concurrently: then the old one, so that the server rejects it.
 */
export function teamChange(draft: SettingsDraft, opened: TeamView, current: TeamView): TeamChange | undefined {
  const change = changedParts(writtenParts(settingsDraft(opened), opened), writtenParts(draft, opened));
  if (Object.keys(change).length === 0) return undefined;
  const { resourceVersion } = isChangedElsewhere(opened, current) ? opened : current;
  return { ...change, ...(resourceVersion && { resourceVersion }) };
}

/** Whether the settings were changed concurrently. Status changes do not count. */
export function isChangedElsewhere(opened: TeamView, current: TeamView): boolean {
  const [before, after] = [opened, current].map((team) => writtenParts(settingsDraft(team), team));
  return before !== undefined && after !== undefined && Object.keys(changedParts(before, after)).length > 0;
}

/** Validation errors by field path. */
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

/** The limits of a team for display; empty if it has none of its own. */
export function limitFacts({ resourceLimits }: TeamView): readonly (readonly [string, string])[] {
  const limits: Partial<NonNullable<TeamView["resourceLimits"]>> = resourceLimits ?? {};
  const facts = [
    ["Clusters", limits.maxClusters],
    ["Workers per cluster", limits.maxNodesPerCluster],
    ["Worker nodes", limits.maxTotalNodes],
    ["CPU cores", limits.maxCPUCores ?? limits.maxTotalCPU],
    ["Memory", limits.maxMemory ?? limits.maxTotalMemory],
    ["Disk", limits.maxStorage ?? limits.maxTotalStorage],
    ["Kubernetes versions", listed(limits.allowedKubernetesVersions)],
    ["Providers", listed(limits.allowedProviders)],
    ["Add-ons", listed(limits.allowedAddons)],
    ["Denied add-ons", listed(limits.deniedAddons)],
  ] as const;
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
}

function listed(names: readonly string[] | undefined): string | undefined {
  return names === undefined || names.length === 0 ? undefined : names.join(", ");
}
