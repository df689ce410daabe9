import { type Plan, type Removal, removalOf } from "@butler/controller";
import { isBeingDeleted, type Kind } from "@butler/resource";
import {
  KubeadmConfigTemplate,
  type MachineDeployment,
  MachineDeployment as MachineDeploymentKind,
} from "@butler/api-external";
import { type MachineProvider, type PoolInput, poolsOf } from "@butler/provider";
import { planAddons } from "./addons/index.ts";
import { planAddresses } from "./addresses/plan-addresses.ts";
import { requestOf } from "./blockers.ts";
import { lostMachines } from "./lost-machines.ts";
import { deploymentName } from "./names.ts";
import type { Observed } from "./observed.ts";
import { planDeletion } from "./plan-deletion.ts";
import { isControlPlaneAt, progressOf } from "./progress.ts";
import { clusterObject } from "./render/cluster.ts";
import { controlPlaneObject } from "./render/control-plane.ts";
import { accessObjects, namespaceObject, platformAdminAccess, serverAccess } from "./render/namespace.ts";
import { poolObjects, type PoolObjects } from "./render/workers.ts";
import { type Report, reportBlocker, reportProgress } from "./report.ts";
import { kubernetesVersionOf } from "./settings.ts";

/** Plans a tenant cluster: everything is stated each time, so that drift is reconciled and changes are applied. */
export function planTenantCluster(observed: Observed, now: Date, machineProviders: readonly MachineProvider[]): Plan {
  const { cluster } = observed;
  if (isBeingDeleted(cluster)) return planDeletion(observed, now);
  const request = requestOf(observed, machineProviders);
  if ("blocker" in request) return { finalizer: "hold", ...told(reportBlocker(observed, request.blocker, now)) };
  const { machines, input } = request;
  const pools = poolsOf(cluster).map((pool) => poolObjects(input, pool, workerSettings(observed, machines, pool)));
  const controlPlane = controlPlaneObject(input, machines, observed.config);
  const addresses = planAddresses(observed);
  const addons = planAddons(observed);
  const deployments = pools.map(({ deployment }) => deployment);
  const progress = progressOf(observed, { controlPlane, deployments, addresses, addons });
  const report = reportProgress(observed, { progress, addresses, addons }, now);
  const namespace = namespaceObject(cluster, machines);
  // Nothing is created in a namespace before the cache confirms that it belongs to this cluster.
  if (observed.namespace === undefined) return { finalizer: "hold", apply: [namespace], ...told(report) };
  if (cluster.spec.paused) return { finalizer: "hold", apply: [clusterObject(input, machines)], ...told(report) };
  const lost = lostMachines(observed.machines, now);
  return {
    finalizer: "hold",
    apply: [
      namespace,
      ...accessObjects(observed, machineProviders),
      ...platformAdminAccess(cluster),
      ...serverAccess(cluster),
      ...machines.clusterObjects(input),
      controlPlane,
      clusterObject(input, machines),
      ...pools.flatMap(({ machineTemplate, bootstrapTemplate, deployment }) => [
        machineTemplate,
        bootstrapTemplate,
        deployment,
      ]),
      ...addresses.apply,
      ...addons.apply,
    ],
    remove: [
      ...retiredDeployments(observed, pools),
      ...retiredTemplates(observed, pools, machines),
      ...lost.remove,
      ...addresses.remove,
    ],
    ...told({ ...report, events: [...report.events, ...lost.events] }),
    requeueAfterMs: lost.requeueAfterMs,
  };
}

/** Workers are never newer than the control plane: until all of it has the new version they keep theirs. */
function workerSettings(
  observed: Observed,
  provider: MachineProvider,
  pool: PoolInput,
): { provider: MachineProvider; version: string } {
  const wanted = kubernetesVersionOf(observed.cluster);
  const present = deploymentOf(observed, pool)?.spec.template.spec.version;
  const mayFollow = present === undefined || isControlPlaneAt(observed, wanted);
  return { provider, version: mayFollow ? wanted : present };
}

function deploymentOf({ deployments, cluster }: Observed, pool: PoolInput): MachineDeployment | undefined {
  const name = deploymentName(cluster.metadata.name, pool.name);
  return deployments.find(({ metadata }) => metadata.name === name);
}

function retiredDeployments({ deployments }: Observed, pools: readonly PoolObjects[]): Removal[] {
  const wanted = new Set(pools.map(({ deployment }) => deployment.metadata.name));
  return deployments
    .filter(({ metadata }) => !wanted.has(metadata.name))
    .map((object) => removalOf(MachineDeploymentKind, object));
}

/** Templates are deleted when nothing refers to them: Cluster API keeps reading those of existing machines. */
function retiredTemplates(
  { templates, deployments, machineSets }: Observed,
  pools: readonly PoolObjects[],
  { machineTemplateKind }: MachineProvider,
): Removal[] {
  const specs = [...deployments, ...machineSets, ...pools.map(({ deployment }) => deployment)].map(
    ({ spec }) => spec.template.spec,
  );
  const used = new Set(
    specs.flatMap(({ infrastructureRef, bootstrap }) => [
      `${infrastructureRef.kind} ${infrastructureRef.name}`,
      `${bootstrap.configRef?.kind} ${bootstrap.configRef?.name}`,
    ]),
  );
  const kinds: readonly Kind[] = [machineTemplateKind, KubeadmConfigTemplate];
  return templates
    .filter(({ kind, metadata }) => !used.has(`${kind} ${metadata.name}`))
    .flatMap((object) => {
      const kind = kinds.find((each) => each.kind === object.kind);
      return kind === undefined ? [] : [removalOf(kind, object)];
    });
}

function told({ status, conditions, events }: Report): Pick<Plan, "status" | "conditions" | "events"> {
  return { status, conditions, events };
}
