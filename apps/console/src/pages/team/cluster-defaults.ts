import type { TeamView } from "../../session/me.ts";
import { defined, numberFault, numberText, writtenNumber } from "./numbers.ts";

/** Defaults for new clusters of a team or an environment. */
export type ClusterDefaults = NonNullable<TeamView["clusterDefaults"]>;

const numberFields = ["workerCount", "workerCPU", "workerMemoryGi", "workerDiskGi"] as const;

/** Form state of the defaults. */
export type DefaultsDraft = Readonly<
  Record<(typeof numberFields)[number] | "kubernetesVersion" | "defaultAddons", string>
>;

/** Initial form state of the defaults. */
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

/** The defaults from the form. Helm values of add-ons have no field and are kept. */
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

/** Validation errors of the defaults, by field path. */
export function defaultsFaults(draft: DefaultsDraft): Readonly<Record<string, string>> {
  const faults = numberFields.map((field) => [`clusterDefaults.${field}`, numberFault(draft[field])] as const);
  const version = draft.kubernetesVersion.trim();
  const isVersion = version === "" || /^v\d+\.\d+\.\d+$/.test(version);
  return Object.fromEntries([
    ...faults.flatMap(([path, fault]) => (fault === undefined ? [] : [[path, fault]])),
    ...(isVersion ? [] : [["clusterDefaults.kubernetesVersion", "Enter a version, such as v1.34.1."]]),
  ]);
}

/** Summary of the defaults for lists; empty if there are none. */
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
