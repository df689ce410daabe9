import type { TenantCluster } from "@butler/api";
import { decideUpgrade } from "@butler/cluster-operations";
import type { ClusterChange } from "@butler/contract";
import { isRecord } from "@butler/std";
import { RouteProblem } from "../http/problem.ts";
import { problemOfRefusal } from "./operate.ts";

type Patch = Readonly<Record<string, unknown>>;

/** The merge patch of a spec for a change; undefined when it changes nothing. */
export function planChange(cluster: TenantCluster, change: ClusterChange): Patch | undefined {
  const { kubernetesVersion: version, controlPlane, workers, paused } = change;
  if (version !== undefined) requireUpgrade(cluster, version);
  const before = cluster.spec.controlPlane.replicas;
  const after = controlPlane?.replicas ?? before;
  if (before > 1 && after === 1 && change.acknowledgeDowngrade !== true) {
    throw fault(
      "controlPlane.replicas",
      "ACKNOWLEDGE",
      "a single replica is unavailable during node outages; set acknowledgeDowngrade to true to confirm",
    );
  }
  if (change.spec !== undefined) requireOwnField(change.spec);
  const spec = { ...change.spec, ...given({ kubernetesVersion: version, controlPlane, workers, paused }) };
  return Object.keys(spec).length === 0 ? undefined : { spec };
}

/** The owner of a cluster cannot be changed this way: access to the cluster depends on it. */
function requireOwnField(spec: Patch): void {
  if ("teamRef" in spec) throw fault("spec.teamRef", "IMMUTABLE", "the team of a cluster cannot be changed");
}

function requireUpgrade(cluster: TenantCluster, version: string): void {
  const decision = decideUpgrade(cluster, version);
  if (decision.state === "refused") throw problemOfRefusal(decision.refusal);
}

function given(parts: Patch): Patch {
  return Object.fromEntries(
    Object.entries(parts).filter(
      ([, value]) => value !== undefined && !(isRecord(value) && Object.keys(value).length === 0),
    ),
  );
}

function fault(field: string, reason: string, message: string): RouteProblem {
  return new RouteProblem("INVALID", message, { causes: [{ field, reason, message }] });
}
