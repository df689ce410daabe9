import { type ButlerConfig, labels, managedByButler, type TenantCluster } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import {
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
type Standing = "absent" | "ours" | "terminating" | "taken";

/** Plans a team. */
export function plan(observed: Observed): Plan {
  const { team } = observed;
  const standing = standingOf(observed);
  if (isBeingDeleted(team)) return planDeletion(observed, standing);
  if (standing === "taken") return planObstacle(observed, namespaceTaken(team.metadata.name));
  if (standing === "terminating") return planObstacle(observed, namespaceTerminating(observed));
  if (standing === "absent" && tenancyMode(observed) === "Disabled") return planObstacle(observed, tenancyDisabled);
  return planKeeping(observed, standing);
}

/** Desired namespace, roles and bindings, and the team's status. */
function planKeeping(observed: Observed, standing: Standing): Plan {
  const { team } = observed;
  const { conditions: quotaConditions, ...quota } = quotaOf(observed);
  const access = accessOf(observed);
  const namespaceReady =
    standing === "ours"
      ? holds("NamespaceReady", "Ready", `namespace ${team.metadata.name} exists`)
      : lacks("NamespaceReady", "Creating", `creating namespace ${team.metadata.name}`);
  const lacking = [namespaceReady, access.condition].find(({ status }) => status !== "True");
  const ready =
    lacking === undefined
      ? holds("Ready", "Ready", "namespace, roles and bindings ready")
      : lacks("Ready", lacking.reason, lacking.message);
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
function planObstacle(observed: Observed, obstacle: Obstacle): Plan {
  const { team } = observed;
  const { conditions: quotaConditions, ...quota } = quotaOf(observed);
  const { phase, reason, message } = obstacle;
  return {
    finalizer: "hold",
    status: { phase, memberCount: memberCount(team), ...quota },
    conditions: [
      lacks("Ready", reason, message),
      lacks("NamespaceReady", reason, message),
      lacks("RBACReady", reason, message),
      ...quotaConditions,
    ],
    events: phase === "Failed" ? [{ type: "Warning", reason, message }] : [],
  };
}

/** Clusters first: deleting the namespace would delete them. Until they are deleted, members keep their access. */
function planDeletion(observed: Observed, standing: Standing): Plan {
  const { team, clusters } = observed;
  const { name } = team.metadata;
  if (clusters.length > 0) {
    const kept =
      standing === "ours" ? planKeeping(observed, standing) : planObstacle(observed, obstacleOf(observed, standing));
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
  if (standing === "absent" || standing === "taken") {
    return { finalizer: "release", ...(removals.length === 0 ? {} : { remove: removals }) };
  }
  const { reason, message } = namespaceTerminating(observed);
  return {
    finalizer: "hold",
    remove: [{ kind: builtinKinds.Namespace, name }, ...removals],
    status: { phase: "Terminating", namespace: name, memberCount: memberCount(team) },
    conditions: [lacks("Ready", reason, message), lacks("NamespaceReady", reason, message)],
  };
}

interface Obstacle {
  readonly phase: "Pending" | "Failed";
  readonly reason: string;
  readonly message: string;
}

const tenancyDisabled: Obstacle = {
  phase: "Pending",
  reason: "TenancyDisabled",
  message:
    "the tenancy mode is Disabled, so the team gets no namespace; set " +
    "spec.multiTenancy.mode of the ButlerConfig to Optional or Enforced",
};

function namespaceTaken(name: string): Obstacle {
  const message =
    `namespace ${name} already exists and was not created for this team; delete the team and create one ` +
    "with another name, or delete that namespace";
  return { phase: "Failed", reason: "NamespaceTaken", message };
}

function namespaceTerminating({ team, namespace }: Observed): Obstacle {
  const { name } = team.metadata;
  const hindrances = namespace === undefined ? [] : hindrancesOf(namespace);
  const message = [`namespace ${name} is being deleted`, ...hindrances].join("; ");
  return { phase: "Pending", reason: "NamespaceTerminating", message };
}

/** A deleted namespace is not recreated for a team that is being deleted. */
function obstacleOf(observed: Observed, standing: Standing): Obstacle {
  const { name } = observed.team.metadata;
  if (standing === "taken") return namespaceTaken(name);
  if (standing === "terminating") return namespaceTerminating(observed);
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

function standingOf({ team, namespace }: Observed): Standing {
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
