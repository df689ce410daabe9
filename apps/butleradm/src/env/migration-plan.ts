import { annotations, labels, type Team, type TenantCluster } from "@butler/api";
import { isBeingDeleted, keyOf, keyText } from "@butler/resource";
import { matchesRule, type Rule } from "./rules.ts";

/** The decision for a cluster. Only `move` changes anything. */
export type Decision =
  | { readonly state: "move"; readonly to: string }
  /** It is already in the right environment. */
  | { readonly state: "there" }
  /** No rule matches. */
  | { readonly state: "unmatched" }
  /** It is in another environment, and moving it was not requested. */
  | { readonly state: "kept"; readonly to: string }
  /** Rules assign it to different environments. */
  | { readonly state: "conflict"; readonly wanted: readonly string[] }
  /** Its team does not define the environment, or does not exist. */
  | { readonly state: "unknown"; readonly to: string; readonly team: string | undefined }
  /** It is being deleted. */
  | { readonly state: "leaving" };

/** Input of the decisions. */
export interface MigrationRules {
  readonly rules: readonly Rule[];
  readonly teams: readonly Team[];
  /** Whether to move clusters that are in another environment. */
  readonly relabel: boolean;
}

/** The environment of a cluster. */
export function environmentOf({ metadata }: Pick<TenantCluster, "metadata">): string | undefined {
  return metadata.labels?.[labels.environment];
}

/** Whether a cluster has the annotation that allows moving it. */
export function isMarked({ metadata }: Pick<TenantCluster, "metadata">): boolean {
  return metadata.annotations?.[annotations.migrationOperation] === "true";
}

/** The team that a cluster belongs to. */
export function teamNameOf({ metadata, spec }: TenantCluster): string {
  return spec.teamRef?.name ?? metadata.namespace ?? "";
}

/** Decides about one cluster. */
export function decideCluster(cluster: TenantCluster, { rules, teams, relabel }: MigrationRules): Decision {
  if (isBeingDeleted(cluster)) return { state: "leaving" };
  const { name, namespace = "", labels: own = {} } = cluster.metadata;
  const team = teamNameOf(cluster);
  const matching = rules.filter((rule) => matchesRule(rule, { name, namespace, team, labels: own }));
  const wanted = [...new Set(matching.map(({ environment }) => environment))].sort();
  const [to] = wanted;
  if (to === undefined) return { state: "unmatched" };
  if (wanted.length > 1) return { state: "conflict", wanted };
  const is = environmentOf(cluster);
  if (is === to) return { state: "there" };
  const found = teams.find(({ metadata }) => metadata.name === team);
  if (!hasPlace(found, to)) return { state: "unknown", to, team: found?.metadata.name };
  return is === undefined || relabel ? { state: "move", to } : { state: "kept", to };
}

function hasPlace(team: Team | undefined, name: string): boolean {
  return team?.spec.environments?.some((environment) => environment.name === name) ?? false;
}

/** A cluster and the decision for it. */
export interface Planned {
  readonly cluster: TenantCluster;
  readonly decision: Decision;
}

/** Decides about every cluster, in the order of their names. */
export function planMigration(clusters: readonly TenantCluster[], rules: MigrationRules): Planned[] {
  return clusters
    .map((cluster) => ({ cluster, decision: decideCluster(cluster, rules) }))
    .sort((left, right) => (keyText(keyOf(left.cluster)) < keyText(keyOf(right.cluster)) ? -1 : 1));
}
