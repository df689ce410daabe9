import { annotations, mainPoolName } from "@butler/api";
import { type ClusterView, environmentOf, workersOf } from "../../../parts/cluster-facts.ts";
import type { TeamView } from "../../../session/me.ts";

/** A pool whose number of machines can be changed. */
export interface ScalablePool {
  readonly name: string;
  readonly replicas: number;
  /** The main pool keeps at least one machine. */
  readonly minimum: number;
}

/** The pools of a cluster, the main one first. */
export function scalablePools({ spec }: ClusterView): readonly ScalablePool[] {
  return [
    { name: mainPoolName, replicas: spec.workers.replicas ?? 3, minimum: 1 },
    ...(spec.workerPools ?? []).map(({ name, replicas }) => ({ name, replicas, minimum: 0 })),
  ];
}

/** Why a pool cannot have a number of machines; undefined when nothing is known against it. */
export function scaleRefusal(text: string, pool: ScalablePool): string | undefined {
  const most = 10_000;
  const number = Number(text);
  const isWhole = /^\d{1,6}$/.test(text.trim());
  if (!isWhole || number > most) return `Write a whole number from ${pool.minimum} to ${most}.`;
  return number < pool.minimum ? "The main pool keeps at least 1 worker machine." : undefined;
}

/** An environment that a cluster could be moved to. */
export interface MoveTarget {
  readonly value: string;
  readonly label: string;
  /** Why it cannot be moved there; undefined when nothing is known against it. */
  readonly refusal: string | undefined;
}

/** The environments of the team, and none of them. */
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
        refusal: isFull ? `${name} has ${clusterCount} of ${most} clusters; there is no room in it.` : undefined,
      };
    }),
  ];
  // One that was taken from the team while the cluster was in it is still where the cluster is.
  return all.some(({ value }) => value === current)
    ? all
    : [...all, { value: current, label: current, refusal: undefined }];
}

/** Whether a cluster is protected from deletion. */
export function isProtected({ metadata }: ClusterView): boolean {
  return metadata.annotations?.[annotations.deletionProtection] === "true";
}

/** What goes with a cluster when it is deleted, as names and words. */
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
    ["Worker machines", `${wanted}, with their disks (${pools.join(", ")})`],
    ["Volumes", "Everything that applications have stored in the cluster"],
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
