import type { DataStore, ProviderConfig, StewardControlPlane, TenantCluster, TenantControlPlane } from "@butler/api";
import type { Cluster, Machine, MachineDeployment, Pod } from "@butler/api-external";
import type { Condition, DynamicObject, KubeObject, ObjectKey } from "@butler/resource";
import { isRecord } from "@butler/std";

/** A warning that Kubernetes or a controller has written down. */
export interface Warning {
  readonly reason: string;
  readonly message: string;
  /** What it is about. */
  readonly object: { readonly kind: string; readonly name: string };
  readonly count: number;
  readonly lastSeen: string;
}

/** Something that could not be read. */
export interface Unreadable {
  readonly what: string;
  /** Why, as the end of a sentence. */
  readonly why: string;
}

/** Everything that is known about a cluster, read at one moment. */
export interface ClusterFacts {
  readonly now: Date;
  readonly cluster: TenantCluster;
  /** The provider that the cluster names; undefined when it does not exist or cannot be read. */
  readonly provider: ProviderConfig | undefined;
  readonly capiCluster: Cluster | undefined;
  readonly controlPlane: StewardControlPlane | undefined;
  readonly tenantControlPlane: TenantControlPlane | undefined;
  readonly dataStore: DataStore | undefined;
  /** The namespace with everything that the cluster is made of. */
  readonly namespace: DynamicObject | undefined;
  readonly machineDeployments: readonly MachineDeployment[];
  readonly machines: readonly Machine[];
  /** What the machines are at their provider, whichever kind that is. */
  readonly infrastructureMachines: readonly DynamicObject[];
  readonly pods: readonly Pod[];
  /** The last lines of containers that crash, by `pod/container`. */
  readonly lastWords: Readonly<Record<string, string>>;
  /** The newest first. */
  readonly warnings: readonly Warning[];
  /** What could not be read. */
  readonly unreadable: readonly Unreadable[];
}

/** An infrastructure machine and what every provider says in the same place (Cluster API contract v1beta2). */
export interface InfrastructureStatus {
  readonly conditions: readonly Condition[];
  readonly isProvisioned: boolean;
  readonly failureReason: string | undefined;
  readonly failureMessage: string | undefined;
  readonly podName: string | undefined;
  readonly phase: string | undefined;
}

/** What an infrastructure machine says about itself. */
export function infrastructureStatus({ status }: DynamicObject): InfrastructureStatus {
  const fields = isRecord(status) ? status : {};
  const text = (key: string): string | undefined => (typeof fields[key] === "string" ? fields[key] : undefined);
  const conditions: unknown = fields["conditions"];
  const initialization = fields["initialization"];
  const isProvisioned = isRecord(initialization) && initialization["provisioned"] === true;
  return {
    conditions: Array.isArray(conditions) ? (conditions as Condition[]) : [],
    // Providers of the older contract say `ready` instead.
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

/** The pod that is a machine, with providers whose machines are pods. */
export function podOfMachine(facts: ClusterFacts, machine: Machine): Pod | undefined {
  const infrastructure = infrastructureOf(facts, machine);
  const podName = infrastructure === undefined ? undefined : infrastructureStatus(infrastructure).podName;
  return podName === undefined ? undefined : facts.pods.find(({ metadata }) => metadata.name === podName);
}

/** The pods that make up the control plane: all that are no machine. */
export function controlPlanePods(facts: ClusterFacts): readonly Pod[] {
  const machines = new Set(facts.infrastructureMachines.map((machine) => infrastructureStatus(machine).podName));
  return facts.pods.filter(({ metadata }) => !machines.has(metadata.name));
}

/** Where the provider of a cluster is found; undefined when the cluster names none. */
export function providerKey({ spec }: TenantCluster): ObjectKey | undefined {
  const reference = spec.providerConfigRef;
  return reference === undefined
    ? undefined
    : { name: reference.name, namespace: reference.namespace || "butler-system" };
}

/** Events are kept for an hour; what was last seen longer ago than this may have passed. */
const newsMs = 5 * 60_000;

/** Warnings that still mean something. */
export function recentWarnings(facts: Pick<ClusterFacts, "warnings" | "now">): readonly Warning[] {
  return facts.warnings.filter(({ lastSeen }) => lastSeen !== "" && sinceMs(facts, lastSeen) < newsMs);
}

/** How long ago a moment was. */
export function sinceMs({ now }: Pick<ClusterFacts, "now">, moment: string | undefined): number {
  return moment === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(moment));
}

/** How long an object has been on its way out. */
export function deletingForMs(facts: Pick<ClusterFacts, "now">, { metadata }: KubeObject): number {
  // Kubernetes counts the time that pods get to end in beforehand.
  const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  return metadata.deletionTimestamp === undefined ? 0 : sinceMs(facts, metadata.deletionTimestamp) + graceMs;
}
