import type { TeamView } from "../../session/me.ts";
import { defined, numberFault, numberText, writtenNumber } from "./numbers.ts";

/** Presets for new clusters, of a team or of an environment. */
export type ClusterDefaults = NonNullable<TeamView["clusterDefaults"]>;

const numberFields = ["workerCount", "workerCPU", "workerMemoryGi", "workerDiskGi"] as const;

/** The presets as somebody writes them. */
export type DefaultsDraft = Readonly<
  Record<(typeof numberFields)[number] | "kubernetesVersion" | "defaultAddons", string>
>;

/** The presets as a form begins with them. */
export function defaultsDraft(defaults: ClusterDefaults | undefined): DefaultsDraft {
  return {
    kubernetesVersion: defaults?.kubernetesVersion ?? "",
    workerCount: numberText(defaults?.workerCount),
    workerCPU: numberText(defaults?.workerCPU),
    workerMemoryGi: numberText(defaults?.workerMemoryGi),
    workerDiskGi: numberText(defaults?.workerDiskGi),
    defaultAddons: (defaults?.defaultAddons ?? []).join(", "),
  };
}

/** What is written, as presets. Helm values of add-ons, which the form does not show, stay as they are. */
export function writtenDefaults(draft: DefaultsDraft, before: ClusterDefaults | undefined): ClusterDefaults {
  const addons = draft.defaultAddons.split(/[\s,]+/).filter((name) => name !== "");
  const version = draft.kubernetesVersion.trim();
  return defined({
    kubernetesVersion: version === "" ? undefined : version,
    workerCount: writtenNumber(draft.workerCount),
    workerCPU: writtenNumber(draft.workerCPU),
    workerMemoryGi: writtenNumber(draft.workerMemoryGi),
    workerDiskGi: writtenNumber(draft.workerDiskGi),
    defaultAddons: addons.length === 0 ? undefined : addons,
    addonValues: before?.addonValues,
  });
}

/** What is wrong with the presets, by the path of the field. */
export function defaultsFaults(draft: DefaultsDraft): Readonly<Record<string, string>> {
  const faults = numberFields.map((field) => [`clusterDefaults.${field}`, numberFault(draft[field])] as const);
  const version = draft.kubernetesVersion.trim();
  const isVersion = version === "" || /^v\d+\.\d+\.\d+$/.test(version);
  return Object.fromEntries([
    ...faults.flatMap(([path, fault]) => (fault === undefined ? [] : [[path, fault]])),
    ...(isVersion ? [] : [["clusterDefaults.kubernetesVersion", "Write a version such as v1.34.1."]]),
  ]);
}

/** The presets in a few words, for lists; empty when there are none. */
export function defaultsWords(defaults: ClusterDefaults | undefined): string {
  const { kubernetesVersion, workerCount, workerCPU, workerMemoryGi, workerDiskGi, defaultAddons } = defaults ?? {};
  const parts = [
    kubernetesVersion,
    workerCount !== undefined && `${workerCount} ${workerCount === 1 ? "worker" : "workers"}`,
    workerCPU !== undefined && `${workerCPU} CPU`,
    workerMemoryGi !== undefined && `${workerMemoryGi} GiB memory`,
    workerDiskGi !== undefined && `${workerDiskGi} GiB disk`,
    ...(defaultAddons ?? []),
  ];
  return parts.filter((part) => typeof part === "string").join(", ");
}
