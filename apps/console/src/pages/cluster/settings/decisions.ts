import { parseKubernetesVersion, poolSizes } from "@butler/api";
import { decideMove, decideScale, decideUpgrade, type Decision, readWorkers } from "@butler/cluster-operations";
import type { CallInput, getTeam, moveCluster, RouteAnswer, scaleCluster, upgradeCluster } from "@butler/contract";
import { blockerText } from "@butler/resource";
import { type ClusterView, environmentOf, workersOf } from "../../../parts/cluster-facts.ts";

type TeamView = RouteAnswer<typeof getTeam>;

/** Result of a form. */
export interface Intention<Request> {
  /** Why the request would be rejected; undefined if it would not, as far as known. */
  readonly refusal: string | undefined;
  /** The request to send; undefined if it would be rejected or change nothing. */
  readonly request: Request | undefined;
}

/** The request that scales a pool to the number that was typed. */
export function scaling(cluster: ClusterView, pool: string, text: string): Intention<CallInput<typeof scaleCluster>> {
  const workers = readWorkers(text);
  return intentionOf(decideScale(cluster, { pool, workers }), {
    params: paramsOf(cluster),
    body: { replicas: workers, pool },
  });
}

/** The request that upgrades a cluster. */
export function upgrading(
  cluster: ClusterView,
  team: Pick<TeamView, "resourceLimits">,
  version: string,
): Intention<CallInput<typeof upgradeCluster>> {
  const allowed = team.resourceLimits?.allowedKubernetesVersions;
  return intentionOf(decideUpgrade(cluster, version, { allowed }), {
    params: paramsOf(cluster),
    // The API requires the leading v, which users may omit.
    body: { version: parseKubernetesVersion(version)?.text ?? version },
  });
}

/** The request that moves a cluster to an environment; empty for none. */
export function moving(
  cluster: ClusterView,
  team: Pick<TeamView, "name" | "environments">,
  environment: string,
): Intention<CallInput<typeof moveCluster>> {
  return intentionOf(decideMove(cluster, { to: environment || undefined, team }), {
    params: paramsOf(cluster),
    body: { environment },
  });
}

function intentionOf<Request>(decision: Decision, request: Request): Intention<Request> {
  return {
    refusal: decision.state === "refused" ? blockerText(decision.refusal) : undefined,
    request: decision.state === "change" ? request : undefined,
  };
}

function paramsOf({ metadata: { namespace = "", name } }: ClusterView) {
  return { namespace, name };
}

/** An environment as a move target. */
export interface MoveTarget {
  readonly value: string;
  readonly label: string;
  /** Why it cannot be moved there; undefined if it can, as far as known. */
  readonly refusal: string | undefined;
}

/** The environments of the team, and the choice of none. */
export function moveTargets(
  cluster: ClusterView,
  team: Pick<TeamView, "name" | "environments">,
): readonly MoveTarget[] {
  const current = environmentOf(cluster);
  const names = ["", ...team.environments.map(({ name }) => name)];
  // The cluster can still be in an environment that was removed from the team.
  const all = names.includes(current) ? names : [...names, current];
  return all.map((value) => ({
    value,
    label: value === "" ? "None" : value,
    refusal: moving(cluster, team, value).refusal,
  }));
}

/** What is deleted with a cluster, for display. */
export function whatGoes(
  cluster: ClusterView,
  addons: readonly { readonly name: string }[],
): readonly (readonly [string, string])[] {
  const { spec, status, metadata } = cluster;
  const { wanted } = workersOf(cluster);
  const pools = poolSizes(spec).map(({ name, replicas }) => `${replicas} in ${name}`);
  const addresses = [status?.ipAllocationRef, status?.lbAllocationRef].flatMap((reference) => reference?.name ?? []);
  return [
    ["Control plane", `${counted(spec.controlPlane.replicas, "replica")}, with all objects stored in it`],
    ["Worker nodes", `${wanted} (${pools.join(", ")}), including their disks`],
    ["Volumes", "All application data stored in the cluster"],
    ["Add-ons", addons.length === 0 ? "" : `${addons.length}: ${addons.map(({ name }) => name).join(", ")}`],
    ["Addresses", addresses.join(", ")],
    ["API server", status?.controlPlaneEndpoint ?? ""],
    ["Namespace", status?.tenantNamespace ?? ""],
    ["Access", `Every kubeconfig for ${metadata.name} stops working`],
  ];
}

function counted(count: number, word: string): string {
  return `${count} ${count === 1 ? word : `${word}s`}`;
}
