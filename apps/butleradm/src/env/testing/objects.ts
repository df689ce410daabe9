import { newObject } from "@butler/administration";
import { annotations, labels, Team, TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";

/** The properties of a cluster that matter in migration tests. */
export interface ClusterTraits {
  readonly name: string;
  readonly team?: string;
  readonly environment?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  readonly uid?: string;
  readonly isLeaving?: boolean;
}

/** A cluster in the namespace of its team. */
export function aCluster(traits: ClusterTraits): TenantCluster {
  const { name, team = "payments", environment, labels: more = {}, uid = `uid-${team}-${name}`, isLeaving } = traits;
  const metadata = {
    name,
    namespace: team,
    uid,
    labels: { ...more, ...(environment === undefined ? {} : { [labels.environment]: environment }) },
    annotations: { [annotations.description]: "text" },
    ...(isLeaving ? { deletionTimestamp: "2026-06-01T12:00:00Z" } : {}),
  };
  return parseObject(TenantCluster, newObject(TenantCluster, metadata, { spec: { teamRef: { name: team } } }));
}

/** A team with environments. */
export function aTeam(name: string, environments: readonly string[]): Team {
  const spec = { environments: environments.map((each) => ({ name: each })) };
  return parseObject(Team, newObject(Team, { name }, { spec }));
}

/** The cluster after a move. */
export function moved(cluster: TenantCluster, environment: string | undefined): TenantCluster {
  const { [labels.environment]: _before, ...rest } = cluster.metadata.labels ?? {};
  const after = environment === undefined ? rest : { ...rest, [labels.environment]: environment };
  return { ...cluster, metadata: { ...cluster.metadata, labels: after } };
}
