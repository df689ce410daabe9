import { annotations, labels } from "@butler/api";
import type { Blocker, ObjectMeta } from "@butler/resource";
import { type Decision, isLeaving, refused, refusedWhileLeaving } from "./decision.ts";
import { changeField, type JsonPatch, setField } from "./field-patch.ts";

/** Where to move a cluster. */
export interface MoveTarget {
  /** Name of the environment; undefined removes the cluster from its environment. */
  readonly to: string | undefined;
  /** The team of the cluster; undefined if unknown: then the API server checks the environment. */
  readonly team?: Team | undefined;
}

interface Team {
  readonly name: string;
  readonly environments: readonly {
    readonly name: string;
    readonly limits?: { readonly maxClusters?: number | undefined } | undefined;
    /** Number of clusters in the environment, if known. */
    readonly clusterCount?: number;
  }[];
}

/** Decides about another environment of the same team. Admission has the final say on roles and limits. */
export function decideMove(cluster: { readonly metadata: ObjectMeta }, { to, team }: MoveTarget): Decision {
  const { name, labels: own = {} } = cluster.metadata;
  if (isLeaving(cluster.metadata)) return refusedWhileLeaving(name);
  const from = own[labels.environment] || undefined;
  if (from === to) {
    const message = to === undefined ? `${name} is not in an environment` : `${name} is already in environment ${to}`;
    return { state: "unchanged", message };
  }
  const blocker = team && to && environmentBlocker(to, team);
  if (blocker) return refused({ ...blocker, field: "environment" });
  const summary = `Moving ${name} from ${from ?? "no environment"} to ${to ?? "no environment"}.`;
  return { state: "change", patch: movePatch(cluster, to), summary, effects: [summary] };
}

function environmentBlocker(to: string, { name, environments }: Team): Blocker | undefined {
  const target = environments.find((environment) => environment.name === to);
  if (target === undefined) {
    const known = environments.map((environment) => environment.name).join(", ");
    const remedy = known === "" ? "the team has no environments" : `environments: ${known}`;
    return { reason: "NOT_FOUND", message: `team ${name} has no environment "${to}"`, remedy };
  }
  const { limits, clusterCount = 0 } = target;
  const most = limits?.maxClusters ?? 0;
  if (most === 0 || clusterCount < most) return undefined;
  return { reason: "QUOTA", message: `${to} is full: ${clusterCount} of ${most} clusters` };
}

/** The annotation permits the move. It is set in any case: another client may remove it at the same time. */
function movePatch(cluster: object, to: string | undefined): JsonPatch {
  return [
    ...changeField(cluster, ["metadata", "labels", labels.environment], to),
    ...setField(cluster, ["metadata", "annotations", annotations.migrationOperation], "true"),
  ];
}
