import type { DataStore, ProviderConfig, StewardControlPlane, TenantCluster, TenantControlPlane } from "@butler/api";
import type { Cluster, Machine, MachineDeployment, Pod } from "@butler/api-external";
import type { Condition, DynamicObject, KubeObject, ObjectKey } from "@butler/resource";
import { isRecord } from "@butler/std";

/** A Warning event recorded by Kubernetes or a controller. */
export interface Warning {
  readonly reason: string;
  readonly message: string;
  /** The involved object. */
  readonly object: { readonly kind: string; readonly name: string };
  readonly count: number;
  readonly lastSeen: string;
}

/** A kind or object that could not be read. */
export interface Unreadable {
  readonly what: string;
  /** The reason, as the end of a sentence. */
  readonly why: string;
}

/** All facts about a cluster, read at one point in time. */
export interface ClusterFacts {
  readonly now: Date;
  readonly cluster: TenantCluster;
  /** The provider that the cluster refers to; undefined when it does not exist or cannot be read. */
  readonly provider: ProviderConfig | undefined;
  readonly capiCluster: Cluster | undefined;
  readonly controlPlane: StewardControlPlane | undefined;
  readonly tenantControlPlane: TenantControlPlane | undefined;
  readonly dataStore: DataStore | undefined;
  /** The namespace with all objects of the cluster. */
  readonly namespace: DynamicObject | undefined;
  readonly machineDeployments: readonly MachineDeployment[];
  readonly machines: readonly Machine[];
  /** The infrastructure machines, of whichever kind their provider has. */
  readonly infrastructureMachines: readonly DynamicObject[];
  readonly pods: readonly Pod[];
  /** The last lines of containers that crash, by `pod/container`. */
  readonly lastWords: Readonly<Record<string, string>>;
  /** The newest first. */
  readonly warnings: readonly Warning[];
  /** What could not be read. */
  readonly unreadable: readonly Unreadable[];
}

/**
 * The status of an infrastructure machine that every provider reports in the same place (Cluster API contract v1beta2).
 */
export interface InfrastructureStatus {
  readonly conditions: readonly Condition[];
  readonly isProvisioned: boolean;
  readonly failureReason: string | undefined;
  readonly failureMessage: string | undefined;
  readonly podName: string | undefined;
  readonly phase: string | undefined;
}

/** The status of an infrastructure machine. */
export function infrastructureStatus({ status }: DynamicObject): InfrastructureStatus {
  const fields = isRecord(status) ? status : {};
  const text = (key: string): string | undefined => (typeof fields[key] === "string" ? fields[key] : undefined);
  const conditions: unknown = fields["conditions"];
  const initialization = fields["initialization"];
  const isProvisioned = isRecord(initialization) && initialization["provisioned"] === true;
  return {
    conditions: Array.isArray(conditions) ? (conditions as Condition[]) : [],
    // Providers of the older contract report `ready` instead.
    isProvisioned: isProvisioned || fields["ready"] === true,
    failureReason: text("failureReason"),
    failureMessage: text("failureMessage"),
    podName: text("podName"),
    phase: text("phase"),
  };
}

/** The infrastructure machine of a Machine. */
export function infrastructureOf(facts: ClusterFacts, machine: Machine): DynamicObject | undefined {
  const { kind, name } = machine.spec.infrastructureRef;
  return facts.infrastructureMachines.find((object) => object.kind === kind && object.metadata.name === name);
}

/** The pod that runs a machine, for providers whose machines are pods. */
export function podOfMachine(facts: ClusterFacts, machine: Machine): Pod | undefined {
  const infrastructure = infrastructureOf(facts, machine);
  const podName = infrastructure === undefined ? undefined : infrastructureStatus(infrastructure).podName;
  return podName === undefined ? undefined : facts.pods.find(({ metadata }) => metadata.name === podName);
}

/** The pods of the control plane: all that do not run a machine. */
export function controlPlanePods(facts: ClusterFacts): readonly Pod[] {
  const machines = new Set(facts.infrastructureMachines.map((machine) => infrastructureStatus(machine).podName));
  return facts.pods.filter(({ metadata }) => !machines.has(metadata.name));
}

/** Key of a cluster's ProviderConfig; undefined when the cluster refers to none. */
export function providerKey({ spec }: TenantCluster): ObjectKey | undefined {
  const reference = spec.providerConfigRef;
  return reference === undefined
    ? undefined
    : { name: reference.name, namespace: reference.namespace || "butler-system" };
}

/** Events are kept for an hour; one last seen longer ago than this may be outdated. */
const newsMs = 5 * 60_000;

/** Warnings that are still current. */
export function recentWarnings(facts: Pick<ClusterFacts, "warnings" | "now">): readonly Warning[] {
  return facts.warnings.filter(({ lastSeen }) => lastSeen !== "" && sinceMs(facts, lastSeen) < newsMs);
}

/** Time since a timestamp, in milliseconds. */
export function sinceMs({ now }: Pick<ClusterFacts, "now">, moment: string | undefined): number {
  return moment === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(moment));
}

/** How long an object has been terminating, in milliseconds. */
export function deletingForMs(facts: Pick<ClusterFacts, "now">, { metadata }: KubeObject): number {
  // The deletion timestamp of a pod already includes its grace period.
  const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  return metadata.deletionTimestamp === undefined ? 0 : sinceMs(facts, metadata.deletionTimestamp) + graceMs;
}
