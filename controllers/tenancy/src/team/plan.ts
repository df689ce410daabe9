import { type ButlerConfig, labels, managedByButler, type TenantCluster } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import {
  blocked,
  type Blocker,
  builtinKinds,
  type ConditionStatement,
  type DynamicObject,
  isBeingDeleted,
  type KubeObject,
} from "@butler/resource";
import { nameSome } from "@butler/std";
import { clusterNames, isMadeBy } from "../shared/index.ts";
import { buildTeamNamespace } from "./manifests.ts";
import { memberCount } from "./members.ts";
import { teamControllerName } from "./names.ts";
import { accessOf, type AccessObserved, teamObjectRemovals } from "./plan-access.ts";
import { quotaOf } from "./quota.ts";

/** The input of the plan. */
export interface Observed extends AccessObserved {
  readonly config: ButlerConfig | undefined;
  /** Clusters that refer to the team, or are in its namespace. */
  readonly clusters: readonly TenantCluster[];
  /** The namespace with the team's name, with any creator. */
  readonly namespace: DynamicObject | undefined;
}

/** The state of a team's namespace. */
type NamespaceState = "absent" | "ours" | "terminating" | "taken";

/** Plans a team. */
export function plan(observed: Observed): Plan {
  const { team } = observed;
  const state = namespaceStateOf(observed);
  if (isBeingDeleted(team)) return planDeletion(observed, state);
  if (state === "taken") return planBlocked(observed, namespaceTaken(team.metadata.name));
  if (state === "terminating") return planBlocked(observed, namespaceTerminating(observed));
  if (state === "absent" && tenancyMode(observed) === "Disabled") return planBlocked(observed, tenancyDisabled);
  return planKeeping(observed, state);
}

/** Desired namespace, roles and bindings, and the team's status. */
function planKeeping(observed: Observed, state: NamespaceState): Plan {
  const { team } = observed;
  const { conditions: quotaConditions, ...quota } = quotaOf(observed);
  const access = accessOf(observed);
  const namespaceReady =
    state === "ours"
      ? holds("NamespaceReady", "Ready", `namespace ${team.metadata.name} exists`)
      : lacks("NamespaceReady", "Creating", `creating namespace ${team.metadata.name}`);
  const lacking = [namespaceReady, access.condition].find(({ status }) => status !== "True");
  const ready =
    lacking === undefined ? holds("Ready", "Ready", "namespace, roles and bindings ready") : blocked("Ready", lacking);
  return {
    finalizer: "hold",
    apply: [buildTeamNamespace(team), ...access.apply],
    remove: access.remove,
    status: {
      phase: lacking === undefined ? "Ready" : "Pending",
      namespace: team.metadata.name,
      memberCount: memberCount(team),
      ...quota,
    },
    conditions: [ready, namespaceReady, access.condition, ...quotaConditions],
    events: quotaConditions
      .filter(({ status }) => status === "True")
      .map(({ reason, message }) => ({ type: "Warning", reason, message })),
  };
}

/** Nothing can be created in the namespace; the team's status is still reported. */
function planBlocked(observed: Observed, blocker: NamespaceBlocker): Plan {
  const { team } = observed;
  const { conditions: quotaConditions, ...quota } = quotaOf(observed);
  const { phase, reason, message } = blocker;
  return {
    finalizer: "hold",
    status: { phase, memberCount: memberCount(team), ...quota },
    conditions: [
      blocked("Ready", blocker),
      blocked("NamespaceReady", blocker),
      blocked("RBACReady", blocker),
      ...quotaConditions,
    ],
    events: phase === "Failed" ? [{ type: "Warning", reason, message }] : [],
  };
}

/** Clusters first: deleting the namespace would delete them. Until they are deleted, members keep their access. */
function planDeletion(observed: Observed, state: NamespaceState): Plan {
  const { team, clusters } = observed;
  const { name } = team.metadata;
  if (clusters.length > 0) {
    const kept = state === "ours" ? planKeeping(observed, state) : planBlocked(observed, blockerOf(observed, state));
    const message =
      `deletion blocked by ${clusters.length} ${clusters.length === 1 ? "cluster" : "clusters"}: ` +
      `${nameSome(clusterNames(clusters))}; delete them first`;
    return {
      ...kept,
      status: { ...kept.status, phase: "Terminating" },
      conditions: [lacks("Ready", "DeletionBlocked", message), ...withoutReady(kept.conditions)],
      events: [{ type: "Warning", reason: "DeletionBlocked", message }],
    };
  }
  const removals = teamObjectRemovals(observed);
  if (state === "absent" || state === "taken") {
    return { finalizer: "release", ...(removals.length === 0 ? {} : { remove: removals }) };
  }
  const blocker = namespaceTerminating(observed);
  return {
    finalizer: "hold",
    remove: [{ kind: builtinKinds.Namespace, name }, ...removals],
    status: { phase: "Terminating", namespace: name, memberCount: memberCount(team) },
    conditions: [blocked("Ready", blocker), blocked("NamespaceReady", blocker)],
  };
}

/** Why a team has no namespace, and the phase of the team until then. */
interface NamespaceBlocker extends Blocker {
  readonly phase: "Pending" | "Failed";
}

const tenancyDisabled: NamespaceBlocker = {
  phase: "Pending",
  reason: "TenancyDisabled",
  message:
    "the tenancy mode is Disabled, so the team gets no namespace; set " +
    "spec.multiTenancy.mode in the ButlerConfig to Optional or Enforced",
};

function namespaceTaken(name: string): NamespaceBlocker {
  const message =
    `namespace ${name} already exists and was not created for this team; delete the team and create one ` +
    "with another name, or delete that namespace";
  return { phase: "Failed", reason: "NamespaceTaken", message };
}

function namespaceTerminating({ team, namespace }: Observed): NamespaceBlocker {
  const { name } = team.metadata;
  const hindrances = namespace === undefined ? [] : hindrancesOf(namespace);
  const message = [`namespace ${name} is being deleted`, ...hindrances].join("; ");
  return { phase: "Pending", reason: "NamespaceTerminating", message };
}

/** A deleted namespace is not recreated for a team that is being deleted. */
function blockerOf(observed: Observed, state: NamespaceState): NamespaceBlocker {
  const { name } = observed.team.metadata;
  if (state === "taken") return namespaceTaken(name);
  if (state === "terminating") return namespaceTerminating(observed);
  return { phase: "Pending", reason: "NamespaceGone", message: `namespace ${name} no longer exists` };
}

/** Kubernetes' conditions about content and finalizers that block the deletion of a namespace. */
function hindrancesOf(namespace: DynamicObject): string[] {
  const { conditions = [] } = (namespace["status"] ?? {}) as { conditions?: ConditionStatement[] };
  const telling = ["NamespaceContentRemaining", "NamespaceFinalizersRemaining", "NamespaceDeletionContentFailure"];
  return conditions
    .filter(({ type, status }) => status === "True" && telling.includes(type))
    .map(({ message }) => message)
    .sort();
}

function namespaceStateOf({ team, namespace }: Observed): NamespaceState {
  if (namespace === undefined) return "absent";
  if (!isNamespaceOf(namespace, team.metadata.name)) return "taken";
  return isBeingDeleted(namespace) ? "terminating" : "ours";
}

/** By its labels, or by the annotation that this controller set when it created the namespace. */
function isNamespaceOf(namespace: KubeObject, team: string): boolean {
  const {
    [labels.team]: owner,
    [labels.managedBy]: manager,
    [labels.tenant]: tenant,
  } = namespace.metadata.labels ?? {};
  const isLabelled = owner === team && manager === managedByButler && tenant === undefined;
  return isLabelled || isMadeBy(namespace, teamControllerName);
}

/** Without a ButlerConfig tenancy is disabled. */
function tenancyMode({ config }: Observed): ButlerConfig["spec"]["multiTenancy"]["mode"] {
  return config?.spec.multiTenancy.mode ?? "Disabled";
}

function withoutReady(conditions: readonly ConditionStatement[] = []): ConditionStatement[] {
  return conditions.filter(({ type }) => type !== "Ready");
}
