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

/** An object that a cluster would bring with it. */
export interface PlannedObject {
  readonly kind: string;
  readonly name: string;
  readonly what: string;
}

/** A value that the cluster leaves open, and who decides it. */
export interface PlannedValue {
  readonly field: string;
  readonly value: string;
  readonly from: string;
}

/** What a creation would come to. */
export interface CreationPlan {
  readonly name: string;
  readonly namespace: string;
  readonly isAccepted: boolean;
  readonly refusals: readonly string[];
  readonly objects: readonly PlannedObject[];
  readonly values: readonly PlannedValue[];
  readonly limits: readonly LimitRow[];
  /** What could not be found out, each as a sentence. */
  readonly notes: readonly string[];
}

/** What is known about a creation that was tried. */
export interface TriedCreation {
  readonly key: ObjectKey;
  /** As far as it could be told what would be stored. */
  readonly cluster: TenantCluster | undefined;
  /** What the API server objects to. */
  readonly refusals: readonly string[];
  readonly limits: LimitTable | undefined;
  /** What the cluster would be made with, in order. */
  readonly addons: readonly BaselineAddon[];
  readonly notes: readonly string[];
}

/** Puts together what a creation would come to. The API server has the last word on whether it is accepted. */
export function assemblePlan({ key, cluster, refusals, limits, addons, notes }: TriedCreation): CreationPlan {
  const isAccepted = refusals.length === 0;
  const further = (limits?.refusals ?? []).filter((reason) => !refusals.some((told) => told.includes(reason)));
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
      ...(isAccepted ? further.map((reason) => `Over a limit, although nothing refuses it now: ${reason}.`) : []),
      ...notes,
    ],
  };
}

/** A refusal comes without what the API server would have filled in. */
const openValuesNote =
  "What you left open is shown as the platform has it; environment and team decide it once nothing is refused.";

/** What would be made for a cluster, from the outside in. */
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
    { kind: "TenantCluster", name: keyText(metadata), what: "what you ask for" },
    { kind: "Namespace", name: `${name}-<uid>`, what: "holds everything below" },
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

/** The add-ons that a cluster would be made with; each says why. */
export function plannedAddons({ metadata }: TenantCluster, addons: readonly BaselineAddon[]): PlannedObject[] {
  return addons.map(({ name, version, reason }) => ({
    kind: "TenantAddon",
    name: `${metadata.name}-${name}`,
    what: `${version ?? "version as the catalogue has it"}; ${reason}`,
  }));
}

function machineText({ cpu, memory, diskSize, os }: MachineTemplate): string {
  return `${cpu ?? 0} CPU, ${memory ?? 0} memory, ${diskSize ?? 0} disk, ${os.type} ${os.version}`;
}

/** What admission notes about values that a cluster leaves open. */
export function plannedValues({ metadata }: TenantCluster): PlannedValue[] {
  try {
    const noted: unknown = JSON.parse(metadata.annotations?.[annotations.valueOrigins] ?? "{}");
    return Object.entries(isRecord(noted) ? noted : {}).flatMap(([field, note]) =>
      isRecord(note) ? [{ field, value: String(note["value"]), from: String(note["from"]) }] : [],
    );
  } catch {
    // Whatever else is in the annotation says nothing about values.
    return [];
  }
}

const objectColumns: readonly Column<PlannedObject>[] = [
  { title: "KIND", value: ({ kind }) => kind },
  { title: "NAME", value: ({ name }) => name },
  { title: "WHAT", value: ({ what }) => what },
];

const valueColumns: readonly Column<PlannedValue>[] = [
  { title: "FIELD", value: ({ field }) => field },
  { title: "VALUE", value: ({ value }) => value },
  { title: "DECIDED BY", value: ({ from }) => from },
];

const limitColumns: readonly Column<LimitRow>[] = [
  { title: "LIMIT", value: ({ limit }) => limit },
  { title: "IN USE", value: ({ used }) => used },
  { title: "THIS CLUSTER", value: ({ asked }) => asked },
  { title: "ALLOWED", value: ({ maximum }) => maximum ?? "no limit" },
  {
    title: "VERDICT",
    value: ({ isExceeded, maximum }) => (isExceeded ? "too much" : maximum === undefined ? "-" : "fits"),
    style: ({ isExceeded, maximum }) => (isExceeded ? "bad" : maximum === undefined ? undefined : "good"),
  },
];

/** A plan for people. */
export function renderPlan(plan: CreationPlan, paint: Paint): string[] {
  const { name, namespace, isAccepted, refusals, objects, values, limits, notes } = plan;
  const verdict = isAccepted
    ? paint("good", `${namespace}/${name} would be accepted. Nothing was made.`)
    : paint("bad", `${namespace}/${name} would be refused. Nothing was made.`);
  return [
    verdict,
    ...refusals.map((reason) => `  ${reason}`),
    ...section("Would be made", renderRows(objectColumns, objects)),
    ...section("Values", renderRows(valueColumns, values)),
    ...section("Limits", renderRows(limitColumns, limits, { paint })),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ];
}
