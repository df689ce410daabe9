import { parseKubernetesVersion, type PoolCounts, upgradeFaultFrom, versionFault, wantedWorkers } from "@butler/api";
import type { ObjectMeta } from "@butler/resource";
import { type Decision, isLeaving, refused, refusedWhileLeaving } from "./decision.ts";
import { changeField } from "./field-patch.ts";

interface UpgradableCluster {
  readonly metadata: ObjectMeta;
  readonly spec: PoolCounts & { readonly kubernetesVersion?: string | undefined };
  readonly status?:
    { readonly observedState?: { readonly kubernetesVersion?: string | undefined } | undefined } | undefined;
}

/** What else is known about an upgrade. */
export interface UpgradeFacts {
  /** The team's `allowedKubernetesVersions`; any version if empty or absent. */
  readonly allowed?: readonly string[] | undefined;
}

/** Decides about another Kubernetes version; the leading `v` is optional. */
export function decideUpgrade(cluster: UpgradableCluster, to: string, { allowed = [] }: UpgradeFacts = {}): Decision {
  const { metadata, spec } = cluster;
  const { name } = metadata;
  if (isLeaving(metadata)) return refusedWhileLeaving(name);
  const version = canonical(to);
  const { running, set } = versionsOf(cluster);
  const field = "kubernetesVersion";
  // Both count: the running version cannot skip a minor version, and an upgrade in progress cannot be reverted.
  const fault = upgradeFaultFrom([set, running], version);
  if (fault !== undefined) {
    return refused({ reason: "UNSUPPORTED", field, message: `${subjectOf(version, name)}${fault}` });
  }
  if (set === version) return { state: "unchanged", message: `${name} is already set to ${version}` };
  if (!isAllowedVersion(version, allowed)) {
    const message = `Kubernetes ${version} is not allowed for the team; choose one of ${allowed.join(", ")}`;
    return refused({ reason: "NOT_ALLOWED", field, message });
  }
  return {
    state: "change",
    patch: changeField(cluster, ["spec", "kubernetesVersion"], version),
    summary: `Upgrading ${name} to ${version}.`,
    effects: [
      `Upgrade of ${name} from ${running ?? set ?? "an unknown version"} to ${version}:`,
      "  1. the control plane is upgraded; the API stays available",
      `  2. ${machinesText(wantedWorkers(spec))}; pods are rescheduled`,
      "A minor version upgrade cannot be rolled back.",
    ],
  };
}

/** The version that runs, and the one that is set: the running one until a version is set. */
function versionsOf({ spec, status }: UpgradableCluster): { running: string | undefined; set: string | undefined } {
  const running = status?.observedState?.kubernetesVersion;
  const set = spec.kubernetesVersion ?? running;
  return { running, set: set && canonical(set) };
}

/** Whether the versions allowed to a team, such as v1.35.2 or all of 1.35, include a version. */
export function isAllowedVersion(version: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const is = withoutV(version);
  return allowed.some((pattern) => {
    const wanted = withoutV(pattern.trim());
    return is === wanted || (/^\d+\.\d+$/.test(wanted) && is.startsWith(`${wanted}.`));
  });
}

/** The subject of a fault: of a version that is not supported anywhere, the fault itself is a sentence. */
function subjectOf(version: string, name: string): string {
  if (parseKubernetesVersion(version) === undefined) return "the version ";
  return versionFault(version) === undefined ? `${name} ` : "";
}

function machinesText(workers: number): string {
  if (workers === 1) return "the worker machine is replaced";
  return `the ${workers} worker machines are replaced in a rolling update`;
}

function canonical(version: string): string {
  return parseKubernetesVersion(version)?.text ?? version;
}

function withoutV(version: string): string {
  return version.replace(/^v/, "");
}
