import type { TenantCluster } from "@butler/api";
import type { MachineDeployment } from "@butler/api-external";
import { covers } from "@butler/controller";
import { type Condition, findCondition, isConditionTrue, type KubeObject } from "@butler/resource";
import { planAddresses } from "./addresses/plan-addresses.ts";
import { done, open, type Part } from "./part.ts";
import type { Observed } from "./observed.ts";
import { type PoolProgress, poolProgress } from "./pools.ts";
import { kubernetesVersionOf, poolsOf } from "./settings.ts";

/** How far a cluster has come. */
export interface Progress {
  readonly infrastructure: Part;
  readonly controlPlane: Part;
  readonly workers: Part;
  readonly network: Part;
  readonly addons: Part;
  readonly pools: readonly PoolProgress[];
  /** The lowest version among the API servers that run. */
  readonly runningVersion: string | undefined;
}

/** What the parts of a cluster are to be like; what they say of themselves counts only once they are asked for it. */
export interface Wanted {
  readonly controlPlane?: KubeObject;
  /** One for each pool. */
  readonly deployments?: readonly MachineDeployment[];
}

/** Works out how far a cluster has come from what its parts say. */
export function progressOf(observed: Observed, wanted: Wanted = {}): Progress {
  const pools = poolsOf(observed.cluster).map((pool, at) => poolProgress(observed, pool, wanted.deployments?.[at]));
  return {
    infrastructure: infrastructure(observed),
    controlPlane: controlPlane(observed, wanted),
    workers: workers(pools),
    network: planAddresses(observed).part,
    addons: addons(observed),
    pools,
    runningVersion: observed.controlPlane?.status?.version,
  };
}

/** Whether every API server has the version that the cluster is to have, so that workers may follow. */
export function isControlPlaneAt({ controlPlane: found }: Observed, version: string): boolean {
  const { status } = found ?? {};
  return status?.version === version && status.ready === true && !isConditionTrue(status.conditions, "RollingOut");
}

function infrastructure({ capiCluster }: Observed): Part {
  const isReady = capiCluster?.status?.initialization?.infrastructureProvisioned === true;
  const said = findCondition(capiCluster?.status?.conditions, "InfrastructureReady")?.message;
  return isReady
    ? done("InfrastructureReady", "machines can be made")
    : open("InfrastructureProvisioning", said || "the infrastructure is being prepared");
}

function controlPlane(observed: Observed, wanted: Wanted): Part {
  const { controlPlane: found, cluster } = observed;
  const { status } = found ?? {};
  const version = kubernetesVersionOf(cluster);
  if (status?.initialized !== true || status.ready !== true) return starting(status?.conditions);
  if (!isControlPlaneAt(observed, version)) {
    return open("Upgrading", `the control plane goes from ${status.version ?? "an unknown version"} to ${version}`);
  }
  if (!isAsked(found, wanted.controlPlane)) return open("Updating", "the control plane is being changed");
  return done("ControlPlaneReady", `the API server answers, at ${version}`);
}

function starting(conditions: readonly Condition[] | undefined): Part {
  const said = findCondition(conditions, "Ready");
  return open(said?.reason ?? "ControlPlaneProvisioning", said?.message || "the control plane is being started");
}

function workers(pools: readonly PoolProgress[]): Part {
  const desired = sum(pools, "desired");
  const unsettled = pools.find(({ isSettled }) => !isSettled);
  if (unsettled === undefined) return done("WorkersReady", `all ${desired} nodes are ready`);
  const { name, ready, upToDate } = unsettled;
  const rest = unsettled.upToDate < unsettled.desired ? `, ${upToDate} of them as the spec says` : "";
  return open("WorkersProvisioning", `${ready} of ${unsettled.desired} nodes of pool ${name} are ready${rest}`);
}

/** Whether a part has been asked for what is wanted, and its status is about that and not about what was before. */
function isAsked(found: KubeObject | undefined, wanted: KubeObject | undefined): boolean {
  const { observedGeneration = 0 } = (found as { status?: { observedGeneration?: number } } | undefined)?.status ?? {};
  if (observedGeneration < (found?.metadata.generation ?? 0)) return false;
  return wanted === undefined || covers(specOf(found), specOf(wanted));
}

function specOf(object: KubeObject | undefined): unknown {
  return (object as { spec?: unknown } | undefined)?.spec;
}

function addons({ tenantControlPlane }: Observed): Part {
  const said = findCondition(tenantControlPlane?.status?.conditions, "AddonsReady");
  return said?.status === "True"
    ? done("AddonsInstalled", said.message)
    : open(said?.reason ?? "AddonsPending", said?.message || "the control plane is not there yet");
}

/** How many nodes of all pools there are of something. */
export function sum(pools: readonly PoolProgress[], count: "desired" | "ready"): number {
  return pools.reduce((total, pool) => total + pool[count], 0);
}

/** Whether the cluster has been complete once, so that what it lacks now is a change or a fault. */
export function wasReady({ status }: TenantCluster): boolean {
  return status?.steps?.some(({ name, finishedAt }) => name === "Ready" && finishedAt !== undefined) === true;
}
