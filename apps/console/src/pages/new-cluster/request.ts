import { labels, TenantAddon, TenantCluster } from "@butler/api";
import type { NewCluster, planCluster, RouteAnswer } from "@butler/contract";
import type { Draft, Parts } from "./draft.ts";
import type { TeamFacts } from "./presets.ts";

/** Dry-run result for a cluster. */
export type ClusterPlan = RouteAnswer<typeof planCluster>;

/** The create request. */
export function requestOf(draft: Draft, team: Pick<TeamFacts, "name">): NewCluster {
  const { name, environment, labels: others, spec } = draft;
  return {
    name,
    teamRef: team.name,
    ...(environment !== "" && { environment }),
    ...(Object.keys(others).length > 0 && { labels: { ...others } }),
    ...(Object.keys(spec).length > 0 && { spec: { ...spec } }),
  };
}

/** The equivalent manifest for kubectl. */
export function manifestOf(draft: Draft, team: Pick<TeamFacts, "name" | "namespace">): Parts {
  const { name, environment, labels: others, spec } = draft;
  const all = { ...others, ...(environment !== "" && { [labels.environment]: environment }) };
  return {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: { name, namespace: team.namespace, ...(Object.keys(all).length > 0 && { labels: all }) },
    spec: { teamRef: { name: team.name }, ...spec },
  };
}

/** The manifests of the selected add-ons. */
export function addonManifests(draft: Draft, team: Pick<TeamFacts, "namespace">): readonly Parts[] {
  return draft.addons.map((addon) => ({
    apiVersion: TenantAddon.apiVersion,
    kind: TenantAddon.kind,
    metadata: { name: `${draft.name}-${addon}`, namespace: team.namespace },
    spec: { clusterRef: { name: draft.name }, addon },
  }));
}
