import type { BaselineAddon } from "@butler/addons";
import {
  annotations,
  defaultKubernetesVersion,
  effectiveMachine,
  effectiveReplicas,
  mainPoolName,
  type MachineTemplate,
  type TenantCluster,
} from "@butler/api";
import { type Column, type Paint, renderRows, section } from "@butler/cli-kit";
import { keyText, type ObjectKey } from "@butler/resource";
import { isRecord } from "@butler/std";
import type { LimitRow, LimitTable } from "./plan-limits.ts";

/** An object that would be created for a cluster. */
export interface PlannedObject {
  readonly kind: string;
  readonly name: string;
  readonly what: string;
}

/** A value that the cluster does not set, and what sets it. */
export interface PlannedValue {
  readonly field: string;
  readonly value: string;
  readonly from: string;
}

/** The result of a planned creation. */
export interface CreationPlan {
  readonly name: string;
  readonly namespace: string;
  readonly isAccepted: boolean;
  readonly refusals: readonly string[];
  readonly objects: readonly PlannedObject[];
  readonly values: readonly PlannedValue[];
  readonly limits: readonly LimitRow[];
  /** What could not be determined, each as a sentence. */
  readonly notes: readonly string[];
}

/** What is known after a dry run of a creation. */
export interface TriedCreation {
  readonly key: ObjectKey;
  /** What would be stored, as far as it is known. */
  readonly cluster: TenantCluster | undefined;
  /** Why the API server denies it. */
  readonly refusals: readonly string[];
  readonly limits: LimitTable | undefined;
  /** Add-ons that the cluster would be created with, in order. */
  readonly addons: readonly BaselineAddon[];
  readonly notes: readonly string[];
}

/** Assembles the plan of a creation. The API server decides whether it is accepted. */
export function assemblePlan({ key, cluster, refusals, limits, addons, notes }: TriedCreation): CreationPlan {
  const isAccepted = refusals.length === 0;
  const further = (limits?.refusals ?? []).filter((reason) => !refusals.some((listed) => listed.includes(reason)));
  return {
    name: key.name,
    namespace: key.namespace ?? "",
    isAccepted,
    refusals: isAccepted ? [] : [...refusals, ...further],
    objects: cluster === undefined ? [] : [...plannedObjects(cluster), ...plannedAddons(cluster, addons)],
    values: cluster === undefined ? [] : plannedValues(cluster),
    limits: limits?.rows ?? [],
    notes: [
      ...(isAccepted || cluster === undefined ? [] : [openValuesNote]),
      ...(isAccepted
        ? further.map((reason) => `The API server would accept the cluster, but it exceeds a limit: ${reason}.`)
        : []),
      ...notes,
    ],
  };
}

/** A denied request comes back without the defaults of the API server. */
const openValuesNote =
  "Values you did not set are shown with platform defaults; environment and team defaults apply once the cluster is accepted.";

/** The objects that would be created for a cluster, outermost first. */
export function plannedObjects(cluster: TenantCluster): PlannedObject[] {
  const { metadata, spec } = cluster;
  const { name } = metadata;
  const version = spec.kubernetesVersion ?? defaultKubernetesVersion;
  const main = effectiveMachine(spec.workers.machineTemplate);
  const { cpu, memory, diskSize } = main;
  const pools = [
    { pool: mainPoolName, replicas: effectiveReplicas(spec.workers.replicas), machine: main },
    ...(spec.workerPools ?? []).map(({ name: pool, replicas, machineTemplate }) => ({
      pool,
      replicas,
      machine: effectiveMachine(machineTemplate, { cpu, memory, diskSize }),
    })),
  ];
  return [
    { kind: "TenantCluster", name: keyText(metadata), what: "the requested cluster" },
    { kind: "Namespace", name: `${name}-<uid>`, what: "contains all objects below" },
    { kind: "Cluster", name, what: `pods ${spec.networking.podCIDR}, Services ${spec.networking.serviceCIDR}` },
    {
      kind: "StewardControlPlane",
      name,
      what: `Kubernetes ${version}, ${spec.controlPlane.replicas === 1 ? "1 replica" : `${spec.controlPlane.replicas} replicas`}`,
    },
    ...pools.map(({ pool, replicas, machine }) => ({
      kind: "MachineDeployment",
      name: `${name}-${pool}`,
      what: `${replicas === 1 ? "1 machine" : `${replicas} machines`}, each ${machineText(machine)}`,
    })),
  ];
}

/** The add-ons that a cluster would be created with, each with the reason. */
export function plannedAddons({ metadata }: TenantCluster, addons: readonly BaselineAddon[]): PlannedObject[] {
  return addons.map(({ name, version, reason }) => ({
    kind: "TenantAddon",
    name: `${metadata.name}-${name}`,
    what: `${version ?? "catalog default version"}; ${reason}`,
  }));
}

function machineText({ cpu, memory, diskSize, os }: MachineTemplate): string {
  return `${cpu ?? 0} CPU, ${memory ?? 0} memory, ${diskSize ?? 0} disk, ${os.type} ${os.version}`;
}

/** What admission recorded about defaulted values. */
export function plannedValues({ metadata }: TenantCluster): PlannedValue[] {
  try {
    const noted: unknown = JSON.parse(metadata.annotations?.[annotations.valueOrigins] ?? "{}");
    return Object.entries(isRecord(noted) ? noted : {}).flatMap(([field, note]) =>
      isRecord(note) ? [{ field, value: String(note["value"]), from: String(note["from"]) }] : [],
    );
  } catch {
    // An annotation that cannot be parsed is ignored.
    return [];
  }
}

const objectColumns: readonly Column<PlannedObject>[] = [
  { title: "KIND", value: ({ kind }) => kind },
  { title: "NAME", value: ({ name }) => name },
  { title: "DETAILS", value: ({ what }) => what },
];

const valueColumns: readonly Column<PlannedValue>[] = [
  { title: "FIELD", value: ({ field }) => field },
  { title: "VALUE", value: ({ value }) => value },
  { title: "SET BY", value: ({ from }) => from },
];

const limitColumns: readonly Column<LimitRow>[] = [
  { title: "LIMIT", value: ({ limit }) => limit },
  { title: "IN USE", value: ({ used }) => used },
  { title: "THIS CLUSTER", value: ({ asked }) => asked },
  { title: "ALLOWED", value: ({ maximum }) => maximum ?? "no limit" },
  {
    title: "VERDICT",
    value: ({ isExceeded, maximum }) => (isExceeded ? "exceeded" : maximum === undefined ? "-" : "fits"),
    style: ({ isExceeded, maximum }) => (isExceeded ? "bad" : maximum === undefined ? undefined : "good"),
  },
];

/** A plan as text. */
export function renderPlan(plan: CreationPlan, paint: Paint): string[] {
  const { name, namespace, isAccepted, refusals, objects, values, limits, notes } = plan;
  const verdict = isAccepted
    ? paint("good", `${namespace}/${name} would be accepted. Nothing was created.`)
    : paint("bad", `${namespace}/${name} would be denied. Nothing was created.`);
  return [
    verdict,
    ...refusals.map((reason) => `  ${reason}`),
    ...section("Objects to create", renderRows(objectColumns, objects)),
    ...section("Values", renderRows(valueColumns, values)),
    ...section("Limits", renderRows(limitColumns, limits, { paint })),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ];
}
