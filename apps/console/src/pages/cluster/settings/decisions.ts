import { annotations, mainPoolName } from "@butler/api";
import { type ClusterView, environmentOf, workersOf } from "../../../parts/cluster-facts.ts";
import type { TeamView } from "../../../session/me.ts";

/** A node pool that can be scaled. */
export interface ScalablePool {
  readonly name: string;
  readonly replicas: number;
  /** The main pool needs at least one node. */
  readonly minimum: number;
}

/** The pools of a cluster, the main one first. */
export function scalablePools({ spec }: ClusterView): readonly ScalablePool[] {
  return [
    { name: mainPoolName, replicas: spec.workers.replicas ?? 3, minimum: 1 },
    ...(spec.workerPools ?? []).map(({ name, replicas }) => ({ name, replicas, minimum: 0 })),
  ];
}

/** Why a pool cannot be scaled to a number; undefined if it can, as far as known. */
export function scaleRefusal(text: string, pool: ScalablePool): string | undefined {
  const most = 10_000;
  const number = Number(text);
  const isWhole = /^\d{1,6}$/.test(text.trim());
  if (!isWhole || number > most) return `Enter a whole number from ${pool.minimum} to ${most}.`;
  return number < pool.minimum ? "The main pool needs at least 1 node." : undefined;
}

/** An environment as a move target. */
export interface MoveTarget {
  readonly value: string;
  readonly label: string;
  /** Why it cannot be moved there; undefined if it can, as far as known. */
  readonly refusal: string | undefined;
}

/** The environments of the team, and the choice of none. */
export function moveTargets(cluster: ClusterView, team: Pick<TeamView, "environments">): readonly MoveTarget[] {
  const current = environmentOf(cluster);
  const all: readonly MoveTarget[] = [
    { value: "", label: "None", refusal: undefined },
    ...team.environments.map(({ name, limits, clusterCount }) => {
      const most = limits?.maxClusters ?? 0;
      const isFull = most > 0 && clusterCount >= most && name !== current;
      return {
        value: name,
        label: name,
        refusal: isFull ? `${name} is full: ${clusterCount} of ${most} clusters.` : undefined,
      };
    }),
  ];
  // The cluster can still be in an environment that was removed from the team.
  return all.some(({ value }) => value === current)
    ? all
    : [...all, { value: current, label: current, refusal: undefined }];
}

/** Whether a cluster is protected from deletion. */
export function isProtected({ metadata }: ClusterView): boolean {
  return metadata.annotations?.[annotations.deletionProtection] === "true";
}

/** What is deleted with a cluster, for display. */
export function whatGoes(
  cluster: ClusterView,
  addons: readonly { readonly name: string }[],
): readonly (readonly [string, string])[] {
  const { spec, status, metadata } = cluster;
  const { wanted } = workersOf(cluster);
  const pools = scalablePools(cluster).map(({ name, replicas }) => `${replicas} in ${name}`);
  const addresses = [status?.ipAllocationRef, status?.lbAllocationRef].flatMap((reference) => reference?.name ?? []);
  return [
    ["Control plane", `${counted(spec.controlPlane.replicas, "replica")}, with all objects stored in it`],
    ["Worker nodes", `${wanted}, with their disks (${pools.join(", ")})`],
    ["Volumes", "All application data stored in the cluster"],
    ["Add-ons", addons.length === 0 ? "" : `${addons.length}: ${addons.map(({ name }) => name).join(", ")}`],
    ["Addresses", addresses.join(", ")],
    ["API server", status?.controlPlaneEndpoint ?? ""],
    ["Namespace", status?.tenantNamespace ?? ""],
    ["Access", `Every kubeconfig of ${metadata.name} stops working`],
  ];
}

function counted(count: number, word: string): string {
  return `${count} ${count === 1 ? word : `${word}s`}`;
}
