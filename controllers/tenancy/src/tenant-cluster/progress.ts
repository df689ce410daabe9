import type { MachineDeployment } from "@butler/api-external";
import { covers, holds, lacks } from "@butler/controller";
import { poolsOf } from "@butler/provider";
import {
  type Blocker,
  type Condition,
  type ConditionStatement,
  findCondition,
  isConditionTrue,
  type KubeObject,
} from "@butler/resource";
import type { AddonPlan } from "./addons/index.ts";
import type { AddressPlan } from "./addresses/plan-addresses.ts";
import type { Observed } from "./observed.ts";
import { type PoolProgress, poolProgress } from "./pools.ts";
import { kubernetesVersionOf } from "./settings.ts";

/** The progress of a cluster: a condition for each part. */
export interface Progress {
  readonly infrastructure: ConditionStatement;
  readonly controlPlane: ConditionStatement;
  readonly workers: ConditionStatement;
  readonly network: ConditionStatement;
  readonly addons: ConditionStatement;
  /** What keeps the cluster from being ready because of add-ons; the add-ons themselves may be less ready. */
  readonly addonsBlocker: Blocker | undefined;
  /** What keeps the cluster from being ready; undefined when it is. */
  readonly blocker: Blocker | undefined;
  readonly pools: readonly PoolProgress[];
  /** The lowest version among the running API servers. */
  readonly runningVersion: string | undefined;
}

/** The desired parts of a cluster; their status counts only once the desired spec is applied. */
export interface Wanted {
  readonly controlPlane: KubeObject;
  /** One for each pool. */
  readonly deployments: readonly MachineDeployment[];
  readonly addresses: AddressPlan;
  readonly addons: AddonPlan;
}

/** Computes the progress of a cluster from the status of its parts. */
export function progressOf(observed: Observed, wanted: Wanted): Progress {
  const pools = poolsOf(observed.cluster).map((pool, at) => poolProgress(observed, pool, wanted.deployments[at]));
  const ofControlPlane = controlPlaneAddons(observed);
  const needed = {
    infrastructure: infrastructure(observed),
    controlPlane: controlPlane(observed, wanted),
    workers: workers(pools, wanted.addons.networkGap),
    network: wanted.addresses.condition,
  };
  const hasAddons = isTrue(ofControlPlane);
  // A failed add-on is reported in its own condition; the cluster is usable anyway.
  const addonsBlocker = hasAddons ? wanted.addons.blocker : ofControlPlane;
  return {
    ...needed,
    addons: hasAddons ? both(ofControlPlane, wanted.addons.condition) : ofControlPlane,
    addonsBlocker,
    blocker: Object.values(needed).find((condition) => !isTrue(condition)) ?? addonsBlocker,
    pools,
    runningVersion: observed.controlPlane?.status?.version,
  };
}

/** Whether every API server has the desired version, so that workers may follow. */
export function isControlPlaneAt({ controlPlane: found }: Observed, version: string): boolean {
  const { status } = found ?? {};
  return status?.version === version && status.ready === true && !isConditionTrue(status.conditions, "RollingOut");
}

function infrastructure({ capiCluster }: Observed): ConditionStatement {
  const isReady = capiCluster?.status?.initialization?.infrastructureProvisioned === true;
  const said = findCondition(capiCluster?.status?.conditions, "InfrastructureReady")?.message;
  return isReady
    ? holds("InfrastructureReady", "InfrastructureReady", "infrastructure ready")
    : lacks("InfrastructureReady", "InfrastructureProvisioning", said || "provisioning the infrastructure");
}

function controlPlane(observed: Observed, wanted: Wanted): ConditionStatement {
  const { controlPlane: found, cluster } = observed;
  const { status } = found ?? {};
  const version = kubernetesVersionOf(cluster);
  if (status?.initialized !== true || status.ready !== true) return starting(status?.conditions);
  if (!isControlPlaneAt(observed, version)) {
    const message = `upgrading the control plane from ${status.version ?? "an unknown version"} to ${version}`;
    return lacks("ControlPlaneReady", "Upgrading", message);
  }
  if (!isAsked(found, wanted.controlPlane)) return lacks("ControlPlaneReady", "Updating", "updating the control plane");
  return holds("ControlPlaneReady", "ControlPlaneReady", `API server ready, version ${version}`);
}

function starting(conditions: readonly Condition[] | undefined): ConditionStatement {
  const said = findCondition(conditions, "Ready");
  const message = said?.message || "starting the control plane";
  return lacks("ControlPlaneReady", said?.reason ?? "ControlPlaneProvisioning", message);
}

/** Nodes are not ready without a pod network, so problems of the pod network are reported here. */
function workers(pools: readonly PoolProgress[], networkGap: string | undefined): ConditionStatement {
  const desired = sum(pools, "desired");
  const unsettled = pools.find(({ isSettled }) => !isSettled);
  if (unsettled === undefined) return holds("WorkersReady", "WorkersReady", `${desired}/${desired} nodes ready`);
  const { name, ready, upToDate } = unsettled;
  const gap = networkGap === undefined ? "" : `; waiting for the pod network: ${networkGap}`;
  const rest = unsettled.upToDate < unsettled.desired ? `, ${upToDate} up to date` : "";
  return lacks(
    "WorkersReady",
    "WorkersProvisioning",
    `pool ${name}: ${ready}/${unsettled.desired} nodes ready${rest}${gap}`,
  );
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
function controlPlaneAddons({ tenantControlPlane }: Observed): ConditionStatement {
  const said = findCondition(tenantControlPlane?.status?.conditions, "AddonsReady");
  return said?.status === "True"
    ? holds("AddonsReady", "AddonsInstalled", said.message)
    : lacks("AddonsReady", said?.reason ?? "AddonsPending", said?.message || "waiting for the control plane");
}

function both(ofControlPlane: ConditionStatement, ofCluster: ConditionStatement): ConditionStatement {
  if (!isTrue(ofCluster)) return ofCluster;
  return { ...ofControlPlane, message: [ofControlPlane.message, ofCluster.message].filter(Boolean).join("; ") };
}

function isTrue({ status }: ConditionStatement): boolean {
  return status === "True";
}

/** The sum of a count over all pools. */
export function sum(pools: readonly PoolProgress[], count: "desired" | "ready"): number {
  return pools.reduce((total, pool) => total + pool[count], 0);
}
