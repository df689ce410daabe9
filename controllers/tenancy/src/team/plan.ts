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

/** Everything the decision is made from. */
export interface Observed extends AccessObserved {
  readonly config: ButlerConfig | undefined;
  /** Clusters that name the team, or are in its namespace. */
  readonly clusters: readonly TenantCluster[];
  /** The namespace of the team's name, whoever made it. */
  readonly namespace: DynamicObject | undefined;
}

/** How the namespace of a team stands. */
type Standing = "absent" | "ours" | "terminating" | "taken";

/** Decides what a team needs now. */
export function plan(observed: Observed): Plan {
  const { team } = observed;
  const standing = standingOf(observed);
  if (isBeingDeleted(team)) return planDeletion(observed, standing);
  if (standing === "taken") return planObstacle(observed, namespaceTaken(team.metadata.name));
  if (standing === "terminating") return planObstacle(observed, namespaceTerminating(observed));
  if (standing === "absent" && tenancyMode(observed) === "Disabled") return planObstacle(observed, tenancyDisabled);
  return planKeeping(observed, standing);
}

/** Namespace, roles and bindings as they should be, and how the team does. */
function planKeeping(observed: Observed, standing: Standing): Plan {
  const { team } = observed;
  const { conditions: quotaConditions, ...quota } = quotaOf(observed);
  const access = accessOf(observed);
  const namespaceReady =
    standing === "ours"
      ? holds("NamespaceReady", "Ready", `the namespace ${team.metadata.name} is there`)
      : lacks("NamespaceReady", "Creating", `the namespace ${team.metadata.name} is being made`);
  const lacking = [namespaceReady, access.condition].find(({ status }) => status !== "True");
  const ready =
    lacking === undefined
      ? holds("Ready", "Ready", "the team has its namespace, and its members have their roles")
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

/** Nothing can be made in the namespace as it is; what is known about the team is told all the same. */
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

/** Clusters first: deleting the namespace would take them along. Until they are gone, members keep their access. */
function planDeletion(observed: Observed, standing: Standing): Plan {
  const { team, clusters } = observed;
  const { name } = team.metadata;
  if (clusters.length > 0) {
    const kept =
      standing === "ours" ? planKeeping(observed, standing) : planObstacle(observed, obstacleOf(observed, standing));
    const message =
      `the team is deleted once its clusters are; there are ${clusters.length}: ` +
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
    "there are no teams while the tenancy mode is Disabled, so the team gets no namespace; set " +
    "spec.multiTenancy.mode of the ButlerConfig to Optional or Enforced",
};

function namespaceTaken(name: string): Obstacle {
  const message =
    `the namespace ${name} exists and was not made for this team, so it is left as it is; delete the team and make one ` +
    "with another name, or delete that namespace";
  return { phase: "Failed", reason: "NamespaceTaken", message };
}

function namespaceTerminating({ team, namespace }: Observed): Obstacle {
  const { name } = team.metadata;
  const hindrances = namespace === undefined ? [] : hindrancesOf(namespace);
  const message = [`the namespace ${name} is being deleted`, ...hindrances].join("; ");
  return { phase: "Pending", reason: "NamespaceTerminating", message };
}

/** A namespace that is gone is not made again for a team that is to go as well. */
function obstacleOf(observed: Observed, standing: Standing): Obstacle {
  const { name } = observed.team.metadata;
  if (standing === "taken") return namespaceTaken(name);
  if (standing === "terminating") return namespaceTerminating(observed);
  return { phase: "Pending", reason: "NamespaceGone", message: `the namespace ${name} is gone` };
}

/** What Kubernetes says about content and finalizers that keep a namespace from going. */
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

/** The labels say so, or the note that this controller left when it made the namespace. */
function isNamespaceOf(namespace: KubeObject, team: string): boolean {
  const {
    [labels.team]: owner,
    [labels.managedBy]: manager,
    [labels.tenant]: tenant,
  } = namespace.metadata.labels ?? {};
  const isLabelled = owner === team && manager === managedByButler && tenant === undefined;
  return isLabelled || isMadeBy(namespace, teamControllerName);
}

/** Without a ButlerConfig the platform is as simple as it can be. */
function tenancyMode({ config }: Observed): ButlerConfig["spec"]["multiTenancy"]["mode"] {
  return config?.spec.multiTenancy.mode ?? "Disabled";
}

function withoutReady(conditions: readonly ConditionStatement[] = []): ConditionStatement[] {
  return conditions.filter(({ type }) => type !== "Ready");
}
