import type { StewardControlPlane } from "@butler/api";
import { type ApiEndpoint, pausedCondition } from "@butler/api-external";
import { blocked, type Blocker, type ConditionStatement } from "@butler/resource";
import { deepEqual, endpointText } from "@butler/std";
import { holds, lacks } from "@butler/controller";
import { withLeadingV } from "./manifests.ts";
import { type TenantFacts, type TenantState, wholeEndpoint } from "./tenant-facts.ts";

/** The progress of a control plane, in terms of the Cluster API contracts. */
export interface Progress {
  readonly facts: TenantFacts;
  /** Whether this control plane's own TenantControlPlane exists. */
  readonly hasTenant: boolean;
  /** Whether workers could join once; never reset. */
  readonly isInitialized: boolean;
  readonly isRollingOut: boolean;
  /** The endpoint in the control plane's spec, where Cluster API reads it. */
  readonly published: ApiEndpoint | undefined;
  /** Whether it is the endpoint of the API server and may be published. */
  readonly isPublished: boolean;
  /** What blocks the creation or update of the TenantControlPlane. */
  readonly blocker: Blocker | undefined;
  /** What is missing in the Secrets of Cluster API. */
  readonly secrets: Blocker | undefined;
  /** The endpoint of the Cluster; undefined while it has none. */
  readonly clusterEndpoint: ApiEndpoint | undefined;
}

export interface ProgressInput extends Omit<Progress, "published" | "isPublished" | "isInitialized" | "isRollingOut"> {
  readonly controlPlane: StewardControlPlane;
}

/** Computes the progress of a control plane. */
export function progressOf({ controlPlane, ...input }: ProgressInput): Progress {
  const { facts } = input;
  const published = wholeEndpoint(controlPlane.spec.controlPlaneEndpoint);
  const mayPublish = wasInitialized(controlPlane) || canBeConnectedTo(input);
  const isPublished = mayPublish && facts.endpoint !== undefined && deepEqual(published, facts.endpoint);
  const isInitialized =
    wasInitialized(controlPlane) || (isPublished && canBeConnectedTo(input) && facts.hasJoinResources);
  const isRollingOut = isInitialized && isOutdated(controlPlane, facts);
  return { ...input, published, isPublished, isInitialized, isRollingOut };
}

function canBeConnectedTo({ facts, secrets }: Pick<Progress, "facts" | "secrets">): boolean {
  return facts.isServing && secrets === undefined;
}

function wasInitialized({ status }: StewardControlPlane): boolean {
  return status?.initialization?.controlPlaneInitialized === true || status?.initialized === true;
}

function isOutdated({ spec }: StewardControlPlane, { version, counts }: TenantFacts): boolean {
  return counts.updated < counts.replicas || (version !== undefined && version !== withLeadingV(spec.version));
}

/**
 * The endpoint that should be written into the spec now; undefined when none has to be. It is held back until the API
 * server answers and can be connected to: infrastructure providers are done as soon as they see it, and Cluster API's
 * first failed attempt to connect costs half a minute.
 */
export function endpointToPublish(progress: Progress): ApiEndpoint | undefined {
  const mayPublish = progress.isInitialized || canBeConnectedTo(progress);
  return mayPublish && !progress.isPublished ? progress.facts.endpoint : undefined;
}

/** The status except its conditions: the fields of both contracts. */
export function statusOf({ facts, isInitialized }: Progress): Record<string, unknown> {
  const { replicas, ready, available, updated, unavailable } = facts.counts;
  const versions = versionsOf(facts);
  return {
    initialization: isInitialized ? { controlPlaneInitialized: true } : undefined,
    initialized: isInitialized,
    ready: facts.isServing,
    replicas,
    readyReplicas: ready,
    availableReplicas: available,
    upToDateReplicas: updated,
    updatedReplicas: updated,
    unavailableReplicas: unavailable,
    selector: facts.selector,
    version: versions?.[0]?.version,
    versions,
    externalManagedControlPlane: true,
  };
}

interface RunningVersion {
  readonly version: string;
  readonly replicas: number;
}

/**
 * The versions that run, the lowest first. Until an upgrade completes the previous version is listed, even without a
 * pod left.
 */
function versionsOf({ version, nextVersion, counts }: TenantFacts): RunningVersion[] | undefined {
  if (version === undefined) return undefined;
  if (nextVersion === undefined || nextVersion === version) return [{ version, replicas: counts.replicas }];
  const updated = Math.min(counts.updated, counts.replicas);
  const running = [{ version, replicas: counts.replicas - updated }];
  if (updated > 0) running.push({ version: nextVersion, replicas: updated });
  return running.sort((left, right) => collator.compare(left.version, right.version));
}

const collator = new Intl.Collator("en", { numeric: true });

/** All conditions of a reconciled control plane, except that of its infrastructure. */
export function conditionsOf(controlPlane: StewardControlPlane, progress: Progress): ConditionStatement[] {
  const { facts, isInitialized, isRollingOut } = progress;
  const { replicas: wanted, version } = controlPlane.spec;
  const { replicas } = facts.counts;
  const waiting = whatIsMissing(progress);
  return [
    readiness(progress, waiting),
    stated("Available", facts.isServing, facts.state),
    activity("RollingOut", isRollingOut, `replacing pods; desired version: ${withLeadingV(version)}`),
    activity("ScalingUp", replicas < wanted, `${replicas}/${wanted} pods created`),
    activity("ScalingDown", replicas > wanted && !isRollingOut, `${replicas} pods running, ${wanted} desired`),
    ...milestones(progress),
    isInitialized
      ? holds("StewardControlPlaneIsInitialized", "Succeeded", "control plane initialized; workers can join")
      : blocked("StewardControlPlaneIsInitialized", waiting),
    stated("StewardControlPlaneIsReady", facts.isServing, facts.state),
    activity("Deleting", false, ""),
    pausedCondition(false),
  ];
}

/** Scaled to zero is what the owner asked for, so it counts as ready although it does not serve. */
function readiness(progress: Progress, waiting: Blocker): ConditionStatement {
  const { facts, isInitialized, secrets } = progress;
  const blocker = progress.blocker ?? (isInitialized ? secrets : waiting);
  if (blocker !== undefined) return blocked("Ready", blocker);
  return stated("Ready", facts.isServing || facts.isAsleep, facts.state);
}

function milestones(progress: Progress): ConditionStatement[] {
  const { hasTenant, facts, blocker, secrets } = progress;
  const { endpoint, hasJoinResources } = facts;
  return [
    step("TenantControlPlaneCreated", blocker ?? (hasTenant ? undefined : tenantIsMissing)),
    step("TenantControlPlaneAddressReady", endpoint === undefined ? addressIsMissing : undefined),
    step("ControlPlaneEndpointPatched", endpointBlocker(progress)),
    step("KubeadmResourcesCreated", hasJoinResources ? undefined : joinResourcesAreMissing),
    step("CertificatesAvailable", secrets),
  ];
}

/** Cluster API copies the endpoint once and keeps it, so a changed endpoint requires manual action. */
function endpointBlocker({ facts, isPublished, clusterEndpoint }: Progress): Blocker | undefined {
  const { endpoint } = facts;
  if (endpoint === undefined) return addressIsMissing;
  if (!isPublished) return endpointIsHeldBack;
  if (clusterEndpoint === undefined || deepEqual(clusterEndpoint, endpoint)) return undefined;
  const message = `the Cluster has endpoint ${endpointText(clusterEndpoint)}, but the API server is at ${endpointText(endpoint)}; set network.serviceAddress to a stable address`;
  return { reason: "ClusterEndpointDiffers", message };
}

/** The first missing step to an initialized control plane. */
function whatIsMissing({ hasTenant, facts, blocker, secrets }: Progress): Blocker {
  if (blocker !== undefined) return blocker;
  if (!hasTenant) return tenantIsMissing;
  if (facts.endpoint === undefined) return addressIsMissing;
  if (!facts.isServing) return facts.state;
  if (secrets !== undefined) return secrets;
  return facts.hasJoinResources ? endpointIsHeldBack : joinResourcesAreMissing;
}

const tenantIsMissing: Blocker = {
  reason: "WaitingForTenantControlPlane",
  message: "waiting for the TenantControlPlane to be created",
};
const addressIsMissing: Blocker = {
  reason: "WaitingForAddress",
  message: "the TenantControlPlane has no endpoint yet; see its condition EndpointReady",
};
const endpointIsHeldBack: Blocker = {
  reason: "WaitingForEndpoint",
  message: "waiting for the API server before setting spec.controlPlaneEndpoint",
};
const joinResourcesAreMissing: Blocker = {
  reason: "WaitingForJoinResources",
  message: "waiting for the resources that workers need to join the tenant cluster",
};

function step(type: string, blocker: Blocker | undefined): ConditionStatement {
  return blocker === undefined ? holds(type, "Succeeded", "") : blocked(type, blocker);
}

function stated(type: string, isTrue: boolean, { reason, message }: TenantState): ConditionStatement {
  return isTrue ? holds(type, reason, message) : lacks(type, reason, message);
}

function activity(type: string, isUnderWay: boolean, message: string): ConditionStatement {
  return isUnderWay ? holds(type, type, message) : lacks(type, `Not${type}`, "");
}
