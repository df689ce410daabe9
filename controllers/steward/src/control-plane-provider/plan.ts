import { type StewardControlPlane, TenantControlPlane } from "@butler/api";
import { type ApiEndpoint, type Cluster, isPaused, pausedCondition } from "@butler/api-external";
import { holds, pausedPlan, type Plan, type PlannedEvent, type Removal, warningOf } from "@butler/controller";
import {
  blocked,
  type Blocker,
  builtinKinds,
  type Condition,
  findCondition,
  isBeingDeleted,
  type ObjectKey,
} from "@butler/resource";
import { exportSecrets, type SecretExport, type SecretSight } from "./exported-secrets.ts";
import {
  type AnnounceEndpoint,
  type InfrastructureCluster,
  infrastructureCondition,
  type InfrastructureInput,
  type InfrastructureVerdict,
  judgeInfrastructure,
} from "./infrastructure.ts";
import { buildTenantControlPlane } from "./manifests.ts";
import { isControlledBy } from "./membership.ts";
import { conditionsOf, endpointToPublish, type Progress, progressOf, statusOf } from "./progress.ts";
import { readTenant, wholeEndpoint } from "./tenant-facts.ts";
import { type TenantNetwork, tenantNetwork, unusedRanges } from "./tenant-network.ts";

/** Everything that the plan is based on. */
export interface Observed {
  readonly controlPlane: StewardControlPlane;
  /** The owning Cluster; undefined until Cluster API has set the owner reference. */
  readonly cluster: Cluster | undefined;
  /** The TenantControlPlane of the same name, whatever its owner. */
  readonly tenant: TenantControlPlane | undefined;
  readonly secrets: SecretSight;
  /** The infrastructure of the Cluster; undefined when it does not exist or was not read. */
  readonly infrastructure: InfrastructureCluster | undefined;
}

/** Writes the endpoint into the control plane's own spec, where Cluster API reads it. */
export interface SetEndpoint extends ObjectKey {
  readonly type: "setEndpoint";
  readonly uid: string | undefined;
  readonly endpoint: ApiEndpoint;
}

export type ControlPlaneEffect = SetEndpoint | AnnounceEndpoint;

/** Renaming or deleting a conflicting Secret triggers no event, so it is polled for. */
const blockedRetryMs = 60_000;

/** Plans the next step of a StewardControlPlane. */
export function plan(observed: Observed): Plan<ControlPlaneEffect> {
  const { controlPlane, cluster } = observed;
  if (isPaused(controlPlane, cluster)) return pausedPlan(controlPlane.status, pausedCondition(true));
  if (isBeingDeleted(controlPlane)) return planDeletion(observed);
  const network = cluster && tenantNetwork(controlPlane, cluster);
  const secrets = secretsOf(observed);
  const progress = assess(observed, { blocker: blockerOf(observed, network), secrets: secrets.blocker });
  const input = infrastructureInput(observed);
  const infrastructure = input && judgeInfrastructure({ ...input, found: observed.infrastructure });
  const tenants = progress.blocker === undefined ? tenantToApply(observed, network) : [];
  return {
    // Without a Cluster nothing was created, so no finalizer is needed.
    finalizer: cluster === undefined && !progress.hasTenant ? "none" : "hold",
    apply: [...tenants, ...secrets.apply],
    effects: effectsOf(controlPlane, progress, infrastructure),
    status: statusOf(progress),
    conditions: [
      ...conditionsOf(controlPlane, progress),
      ...(infrastructure === undefined ? [] : [infrastructure.condition]),
      ...externalReference(controlPlane),
    ],
    events: eventsOf(observed, progress),
    requeueAfterMs: infrastructure?.requeueAfterMs ?? (secrets.isBlocked ? blockedRetryMs : undefined),
  };
}

/** The endpoint to set on the infrastructure of a Cluster and what is known of it; undefined without a Cluster. */
export function infrastructureInput(
  observed: Omit<Observed, "infrastructure">,
): Omit<InfrastructureInput, "found"> | undefined {
  const { controlPlane, cluster } = observed;
  if (cluster === undefined) return undefined;
  const { published, isPublished } = assess(observed, { blocker: undefined, secrets: secretsOf(observed).blocker });
  const earlier = currentCondition(controlPlane, infrastructureCondition);
  return { cluster, endpoint: isPublished ? published : undefined, earlier };
}

/** A condition, if it was computed from the current generation. */
function currentCondition({ status, metadata }: StewardControlPlane, type: string): Condition | undefined {
  const condition = findCondition(status?.conditions, type);
  return condition?.observedGeneration === metadata.generation ? condition : undefined;
}

function ownTenant({
  controlPlane,
  tenant,
}: Pick<Observed, "controlPlane" | "tenant">): TenantControlPlane | undefined {
  return tenant !== undefined && isControlledBy(tenant, controlPlane) ? tenant : undefined;
}

function assess(observed: Omit<Observed, "infrastructure">, blockers: Pick<Progress, "blocker" | "secrets">): Progress {
  const { controlPlane, cluster } = observed;
  const tenant = ownTenant(observed);
  const clusterEndpoint = wholeEndpoint(cluster?.spec?.controlPlaneEndpoint);
  const facts = readTenant(tenant);
  return progressOf({ controlPlane, facts, hasTenant: tenant !== undefined, clusterEndpoint, ...blockers });
}

/** Only data of our own TenantControlPlane is exported to Cluster API. */
function secretsOf(observed: Omit<Observed, "infrastructure">): SecretExport {
  const { controlPlane, cluster, secrets } = observed;
  const tenant = ownTenant(observed);
  if (cluster === undefined || tenant === undefined) {
    return { apply: [], blocker: certificatesAreMissing, isBlocked: false };
  }
  return exportSecrets({ controlPlane, tenant, clusterName: cluster.metadata.name, secrets });
}

function blockerOf(
  { controlPlane, cluster, tenant }: Observed,
  network: TenantNetwork | Blocker | undefined,
): Blocker | undefined {
  if (cluster === undefined || network === undefined) return clusterIsMissing;
  if (controlPlane.spec.deployment.externalClusterReference !== undefined) return elsewhereIsNotSupported;
  if (tenant !== undefined && !isControlledBy(tenant, controlPlane)) return tenantIsForeign(tenant);
  if (tenant !== undefined && isBeingDeleted(tenant)) return tenantIsGoing;
  return "reason" in network ? network : undefined;
}

function tenantToApply({ controlPlane, cluster }: Observed, network: TenantNetwork | Blocker | undefined) {
  if (cluster === undefined || network === undefined || "reason" in network) return [];
  return [buildTenantControlPlane({ controlPlane, clusterName: cluster.metadata.name, network })];
}

/** Other objects get the endpoint from the spec, so the spec is written first; the next pass sees the result. */
function effectsOf(
  { metadata }: StewardControlPlane,
  progress: Progress,
  infrastructure: InfrastructureVerdict | undefined,
): readonly ControlPlaneEffect[] {
  const endpoint = endpointToPublish(progress);
  const { name, namespace, uid } = metadata;
  if (endpoint !== undefined) return [{ type: "setEndpoint", name, namespace, uid, endpoint }];
  return infrastructure?.effects ?? [];
}

function externalReference({ spec }: StewardControlPlane) {
  if (spec.deployment.externalClusterReference === undefined) return [];
  return [blocked("FoundExternalReferenceClient", elsewhereIsNotSupported)];
}

const clusterIsMissing: Blocker = {
  reason: "WaitingForCluster",
  message: "no Cluster owns this object; reference it in the controlPlaneRef of a Cluster",
};
const elsewhereIsNotSupported: Blocker = {
  reason: "NotSupported",
  message: "running the control plane in another cluster is not supported; remove deployment.externalClusterReference",
};
const tenantIsGoing: Blocker = {
  reason: "TenantControlPlaneDeleted",
  message:
    "another client is deleting the TenantControlPlane; Steward recreates it without its data after the deletion",
};
const certificatesAreMissing: Blocker = {
  reason: "WaitingForCertificates",
  message: "waiting for a TenantControlPlane that provides the certificates",
};

function tenantIsForeign({ metadata }: TenantControlPlane): Blocker {
  return {
    reason: "TenantControlPlaneNameTaken",
    message: `TenantControlPlane ${metadata.name} already exists and is not owned by this control plane; delete it or choose another name`,
  };
}

function eventsOf(observed: Observed, { blocker, secrets, isInitialized, hasTenant }: Progress): PlannedEvent[] {
  const blockers = [blocker, secrets].filter((one) => one !== undefined);
  const warnings = blockers.filter(({ reason }) => !reason.startsWith("WaitingFor"));
  const unused = observed.cluster === undefined ? [] : unusedRanges(observed.cluster);
  if (unused.length > 0) {
    const message = `a tenant has a single address family; ignoring these ranges in the Cluster: ${unused.join(", ")}`;
    warnings.push({ reason: "RangesNotUsed", message });
  }
  if (isInitialized && !hasTenant && blocker === undefined) warnings.push(tenantIsLost);
  return warnings.map(warningOf);
}

const tenantIsLost: Blocker = {
  reason: "TenantControlPlaneLost",
  message: "the TenantControlPlane of an initialized cluster was deleted; creating a new one without the previous data",
};

/** The TenantControlPlane is deleted first, since only it can clean up its data; a missing one blocks nothing. */
function planDeletion(observed: Observed): Plan<ControlPlaneEffect> {
  const { controlPlane, secrets } = observed;
  const tenant = ownTenant(observed);
  if (tenant === undefined) return { finalizer: "release", remove: secretsToRemove(controlPlane, secrets) };
  const { name, namespace, uid } = tenant.metadata;
  const progress = assess(observed, { blocker: isGoing, secrets: isGoing });
  const message = `waiting for TenantControlPlane ${name} to be deleted`;
  return {
    finalizer: "hold",
    remove: [{ kind: TenantControlPlane, name, namespace, uid }],
    status: statusOf(progress),
    conditions: [
      ...conditionsOf(controlPlane, progress).filter(({ type }) => type !== "Deleting"),
      holds("Deleting", "WaitingForTenantControlPlane", message),
    ],
  };
}

const isGoing: Blocker = { reason: "Deleting", message: "the control plane is being deleted" };

function secretsToRemove(controlPlane: StewardControlPlane, secrets: SecretSight): Removal[] {
  return [secrets.clusterKubeconfig, secrets.clusterAuthority].flatMap((secret) => {
    if (secret === undefined || !isControlledBy(secret, controlPlane)) return [];
    const { name, namespace, uid } = secret.metadata;
    return [{ kind: builtinKinds.Secret, name, namespace, uid }];
  });
}
