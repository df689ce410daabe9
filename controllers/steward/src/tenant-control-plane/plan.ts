import type { TenantControlPlane } from "@butler/api";
import { holds, lacks, type Plan, type PlannedEvent, type Removal, stageReason } from "@butler/controller";
import type { Denial } from "@butler/kube";
import {
  apiVersionOf,
  type Blocker,
  builtinKinds,
  type Condition,
  type ConditionStatement,
  controllerReference,
  type DynamicObject,
  findCondition,
  isBeingDeleted,
  type Kind,
  type KubeObject,
} from "@butler/resource";
import { endpointText } from "@butler/std";
import {
  announcedEndpoint,
  type AnnouncedEndpoint,
  certificateNames,
  exposureObjects,
  planService,
} from "../exposure/index.ts";
import { identityDenials, validateSpec } from "./admission/validate.ts";
import { conditionsOf } from "./conditions.ts";
import { describeDeployment } from "./desired-deployment.ts";
import type { MakeSecrets, TenantControlPlaneEffect } from "./effects.ts";
import type { Facts } from "./facts.ts";
import { PodDisruptionBudget } from "./kinds.ts";
import { pausedAnnotation } from "./names.ts";
import { lastAnswers } from "./last-answers.ts";
import type { Observed } from "./observed.ts";
import { ownEtcdObjects } from "./own-etcd.ts";
import { planDeletion } from "./plan-deletion.ts";
import { planSecrets, type SecretsPlan } from "./plan-secrets.ts";
import {
  buildAuthenticationConfiguration,
  hasAuthenticationConfiguration,
} from "./render/authentication-configuration.ts";
import { authenticationConfigName } from "./render/files.ts";
import { buildDisruptionBudget, buildNetworkPolicy } from "./render/workload.ts";
import { statusOf } from "./report.ts";
import { readRollout } from "./rollout.ts";
import { type ApiServerReach, issueSettings } from "./secrets/secret-blueprint.ts";
import { tenantWork } from "./tenant-work.ts";

const checked = lastAnswers<readonly Denial[]>();

type ControlPlanePlan = Plan<TenantControlPlaneEffect>;

/** A periodic resync covers what no event reports. */
const longestWaitMs = 24 * 3_600_000;

/** Plans the next step of a control plane. */
export function plan(observed: Observed, now: Date): ControlPlanePlan {
  const { tcp, identity } = observed;
  if (tcp.metadata.annotations?.[pausedAnnotation] !== undefined) return pausedPlan(tcp);
  if (isBeingDeleted(tcp)) return planDeletion(observed, now);
  const denials = [
    ...checked(tcp.spec, tcp.metadata.name, () => validateSpec(tcp)),
    ...identityDenials(tcp, { schema: identity.user, user: identity.user }),
  ];
  if (denials.length > 0) {
    const message = denials.map((denial) => `${denial.path}: ${denial.message}`).join("; ");
    return { finalizer: "none", conditions: [lacks("Ready", "InvalidSpec", message)] };
  }
  return planLife(observed, now);
}

function planLife(observed: Observed, now: Date): ControlPlanePlan {
  const { tcp } = observed;
  const endpoint = endpointOf(observed);
  const secrets = planSecrets(observed, reachOf(observed, endpoint), now);
  const { deployment, revision, authorityDigest } = describeDeployment(observed, endpoint, secrets);
  const exposure = exposureOf(observed);
  const facts: Facts = {
    endpoint,
    secrets,
    deployment,
    rollout: readRollout({ tcp, deployment: observed.deployment, revision, authorityDigest }),
    tenant: endpoint.kind === "known" ? tenantWork(observed, endpoint) : {},
    exposureBlocker: exposure.blocker,
    now,
  };
  const effects = effectsOf(observed, facts);
  // An effect requeues the control plane at once; the state in between is reported only if that takes long.
  const isReported = effects.length === 0 || hasFailed(tcp);
  return {
    finalizer: observed.store.found === undefined && observed.secrets.dataStore === undefined ? "none" : "hold",
    apply: [
      planService(tcp),
      ...ownEtcdObjects(observed, secrets),
      ...(deployment === undefined ? [] : workloadOf(tcp, deployment)),
      ...exposure.objects,
    ],
    remove: removalsOf(observed, exposure.objects),
    effects,
    ...(isReported ? { status: statusOf(observed, facts), conditions: conditionsOf(observed, facts) } : {}),
    events: eventsOf(observed, secrets),
    requeueAfterMs: waitMs(secrets.renewAt, now),
  };
}

function endpointOf({ tcp, service, hostConflict, settings }: Observed): AnnouncedEndpoint {
  if (hostConflict !== undefined) return { kind: "waiting", reason: "HostnameTaken", message: hostConflict };
  return announcedEndpoint(tcp, service, settings);
}

function reachOf({ tcp, settings }: Observed, endpoint: AnnouncedEndpoint): ApiServerReach | undefined {
  if (endpoint.kind === "waiting") return undefined;
  return { server: `https://${endpointText(endpoint)}`, ...certificateNames(tcp, endpoint, settings) };
}

/** The workload of the control plane; the NetworkPolicy comes before the pods. */
function workloadOf(tcp: TenantControlPlane, deployment: DynamicObject): KubeObject[] {
  const { replicas } = tcp.spec.controlPlane.deployment;
  return [
    buildNetworkPolicy(tcp),
    ...(hasAuthenticationConfiguration(tcp) ? [buildAuthenticationConfiguration(tcp)] : []),
    deployment,
    ...(replicas >= 2 ? [buildDisruptionBudget(tcp)] : []),
  ];
}

function exposureOf({ tcp, hostConflict, servedKinds }: Observed): { objects: KubeObject[]; blocker?: Blocker } {
  if (hostConflict !== undefined) return { objects: [] };
  const objects = exposureObjects(tcp);
  const unknown = objects.find((object) => !servedKinds.some((kind) => isOfKind(object, kind)));
  if (unknown === undefined) return { objects };
  const message = `this cluster does not serve ${unknown.kind} (${unknown.apiVersion}); install its CRD`;
  return { objects: [], blocker: { reason: "KindNotServed", message } };
}

function isOfKind({ apiVersion, kind }: KubeObject, candidate: Kind): boolean {
  return candidate.kind === kind && apiVersionOf(candidate) === apiVersion;
}

function removalsOf({ tcp, exposedBy }: Observed, wanted: readonly KubeObject[]): Removal[] {
  const { name, namespace } = tcp.metadata;
  const { replicas } = tcp.spec.controlPlane.deployment;
  const past = exposedBy.filter(({ kind }) => !wanted.some((object) => isOfKind(object, kind)));
  return [
    ...(replicas >= 2 ? [] : [{ kind: PodDisruptionBudget, name, namespace }]),
    ...(hasAuthenticationConfiguration(tcp)
      ? []
      : [{ kind: builtinKinds.ConfigMap, name: authenticationConfigName(name), namespace }]),
    ...past.map(({ kind }) => ({ kind, name, namespace })),
  ];
}

function effectsOf(observed: Observed, { secrets, rollout, tenant }: Facts): TenantControlPlaneEffect[] {
  const { tcp, keptAs } = observed;
  const { uid = "" } = tcp.metadata;
  if (secrets.orders.length > 0) return [makeSecrets(observed, secrets)];
  const isAsleep = tcp.spec.controlPlane.deployment.replicas === 0;
  if (isAsleep) return keptAs === undefined ? [] : [{ type: "forgetTenant", uid }];
  const isDue = rollout.isAvailable && tenant.wanted !== undefined && tenant.wanted.digest !== keptAs;
  return isDue && tenant.wanted !== undefined ? [tenant.wanted] : [];
}

function makeSecrets({ tcp, identity, store }: Observed, { orders }: SecretsPlan): MakeSecrets {
  const isForStore = orders.some(({ blueprint }) => blueprint.id === "dataStore");
  const isShared = store.found?.dedicated === undefined;
  return {
    type: "makeSecrets",
    namespace: tcp.metadata.namespace ?? "",
    owner: controllerReference(tcp),
    issue: issueSettings(tcp),
    orders,
    tenant: isForStore && isShared ? identity : undefined,
  };
}

/** An unrequested CA replacement is worth an event: the nodes do not trust the new CA. */
function eventsOf({ tcp, secrets: seen }: Observed, { orders }: SecretsPlan): PlannedEvent[] {
  const wasInstalled = tcp.status?.kubernetesResources?.version?.version !== undefined;
  const isReplaced = orders.some(({ blueprint }) => blueprint.id === "ca") && seen.ca?.isRotationWanted !== true;
  if (!wasInstalled || !isReplaced) return [];
  const message =
    "certificate authority missing, invalid or about to expire; if it is replaced, all nodes must rejoin the cluster";
  return [{ type: "Warning", reason: "CertificateAuthorityLost", message }];
}

/** Whether the last attempt failed. */
function hasFailed({ status }: TenantControlPlane): boolean {
  const ready = findCondition(status?.conditions, "Ready");
  return ready?.status === "False" && Object.values(stageReason).includes(ready.reason);
}

function waitMs(renewAt: Date | undefined, now: Date): number {
  if (renewAt === undefined) return longestWaitMs;
  return Math.min(longestWaitMs, Math.max(1_000, renewAt.getTime() - now.getTime()));
}

/** The plan for a paused control plane: no changes except the condition Paused. */
function pausedPlan({ status }: TenantControlPlane): ControlPlanePlan {
  const others = (status?.conditions ?? []).filter(({ type }) => type !== "Paused").map(statementOf);
  const message = `reconciliation is paused by the annotation ${pausedAnnotation}`;
  return { finalizer: "none", conditions: [...others, holds("Paused", "Paused", message)] };
}

function statementOf({ type, status, reason, message }: Condition): ConditionStatement {
  return { type, status, reason, message };
}
