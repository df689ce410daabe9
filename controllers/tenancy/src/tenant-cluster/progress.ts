import type { MachineDeployment } from "@butler/api-external";
import { covers } from "@butler/controller";
import { poolsOf } from "@butler/provider";
import { type Condition, findCondition, isConditionTrue, type KubeObject } from "@butler/resource";
import { type AddonPlan, planAddons } from "./addons/index.ts";
import { planAddresses } from "./addresses/plan-addresses.ts";
import { done, open, type Part } from "./part.ts";
import type { Observed } from "./observed.ts";
import { type PoolProgress, poolProgress } from "./pools.ts";
import { kubernetesVersionOf } from "./settings.ts";

/** The progress of a cluster. */
export interface Progress {
  readonly infrastructure: Part;
  readonly controlPlane: Part;
  readonly workers: Part;
  readonly network: Part;
  readonly addons: Part;
  /** What keeps the cluster from being ready because of add-ons; the add-ons themselves may be less ready. */
  readonly addonsHoldUp: Part | undefined;
  readonly addonPlan: AddonPlan;
  readonly pools: readonly PoolProgress[];
  /** The lowest version among the running API servers. */
  readonly runningVersion: string | undefined;
}

/** The desired parts of a cluster; their status counts only once the desired spec is applied. */
export interface Wanted {
  readonly controlPlane?: KubeObject;
  /** One for each pool. */
  readonly deployments?: readonly MachineDeployment[];
}

/** Computes the progress of a cluster from the status of its parts. */
export function progressOf(observed: Observed, wanted: Wanted = {}): Progress {
  const pools = poolsOf(observed.cluster).map((pool, at) => poolProgress(observed, pool, wanted.deployments?.[at]));
  const addonPlan = planAddons(observed);
  const ofControlPlane = controlPlaneAddons(observed);
  return {
    infrastructure: infrastructure(observed),
    controlPlane: controlPlane(observed, wanted),
    workers: workers(pools, addonPlan.networkGap),
    network: planAddresses(observed).part,
    addons: ofControlPlane.isReady ? both(ofControlPlane, addonPlan.part) : ofControlPlane,
    addonsHoldUp: ofControlPlane.isReady ? addonPlan.holdUp : ofControlPlane,
    addonPlan,
    pools,
    runningVersion: observed.controlPlane?.status?.version,
  };
}

/** Whether every API server has the desired version, so that workers may follow. */
export function isControlPlaneAt({ controlPlane: found }: Observed, version: string): boolean {
  const { status } = found ?? {};
  return status?.version === version && status.ready === true && !isConditionTrue(status.conditions, "RollingOut");
}

function infrastructure({ capiCluster }: Observed): Part {
  const isReady = capiCluster?.status?.initialization?.infrastructureProvisioned === true;
  const said = findCondition(capiCluster?.status?.conditions, "InfrastructureReady")?.message;
  return isReady
    ? done("InfrastructureReady", "infrastructure ready")
    : open("InfrastructureProvisioning", said || "provisioning the infrastructure");
}

function controlPlane(observed: Observed, wanted: Wanted): Part {
  const { controlPlane: found, cluster } = observed;
  const { status } = found ?? {};
  const version = kubernetesVersionOf(cluster);
  if (status?.initialized !== true || status.ready !== true) return starting(status?.conditions);
  if (!isControlPlaneAt(observed, version)) {
    return open(
      "Upgrading",
      `upgrading the control plane from ${status.version ?? "an unknown version"} to ${version}`,
    );
  }
  if (!isAsked(found, wanted.controlPlane)) return open("Updating", "updating the control plane");
  return done("ControlPlaneReady", `API server ready, version ${version}`);
}

function starting(conditions: readonly Condition[] | undefined): Part {
  const said = findCondition(conditions, "Ready");
  return open(said?.reason ?? "ControlPlaneProvisioning", said?.message || "starting the control plane");
}

/** Nodes are not ready without a pod network, so problems of the pod network are reported here. */
function workers(pools: readonly PoolProgress[], networkGap: string | undefined): Part {
  const desired = sum(pools, "desired");
  const unsettled = pools.find(({ isSettled }) => !isSettled);
  if (unsettled === undefined) return done("WorkersReady", `${desired}/${desired} nodes ready`);
  const { name, ready, upToDate } = unsettled;
  const gap = networkGap === undefined ? "" : `; waiting for the pod network: ${networkGap}`;
  const rest = unsettled.upToDate < unsettled.desired ? `, ${upToDate} up to date` : "";
  return open("WorkersProvisioning", `pool ${name}: ${ready}/${unsettled.desired} nodes ready${rest}${gap}`);
}

/** Whether the desired spec of a part is applied, and its status has observed it. */
function isAsked(found: KubeObject | undefined, wanted: KubeObject | undefined): boolean {
  const { observedGeneration = 0 } = (found as { status?: { observedGeneration?: number } } | undefined)?.status ?? {};
  if (observedGeneration < (found?.metadata.generation ?? 0)) return false;
  return wanted === undefined || covers(specOf(found), specOf(wanted));
}

function specOf(object: KubeObject | undefined): unknown {
  return (object as { spec?: unknown } | undefined)?.spec;
}

/** The add-ons that Steward installs into the cluster. */
function controlPlaneAddons({ tenantControlPlane }: Observed): Part {
  const said = findCondition(tenantControlPlane?.status?.conditions, "AddonsReady");
  return said?.status === "True"
    ? done("AddonsInstalled", said.message)
    : open(said?.reason ?? "AddonsPending", said?.message || "waiting for the control plane");
}

function both(ofControlPlane: Part, ofCluster: Part): Part {
  if (!ofCluster.isReady) return ofCluster;
  return { ...ofControlPlane, message: [ofControlPlane.message, ofCluster.message].filter(Boolean).join("; ") };
}

/** The sum of a count over all pools. */
export function sum(pools: readonly PoolProgress[], count: "desired" | "ready"): number {
  return pools.reduce((total, pool) => total + pool[count], 0);
}
