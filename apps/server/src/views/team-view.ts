import { memberRoleOf, type Person } from "@butler/access";
import { labels, type Team, type TenantCluster } from "@butler/api";
import type { environmentView, teamView } from "@butler/contract";
import type { z } from "zod";

type Environment = NonNullable<Team["spec"]["environments"]>[number];

/** An environment, with how many clusters are in it. */
export function showEnvironment(
  environment: Environment,
  clusters: readonly TenantCluster[],
): z.output<typeof environmentView> {
  const { name, description, limits, access, clusterDefaults } = environment;
  return {
    name,
    description,
    limits,
    access,
    clusterDefaults,
    clusterCount: clusters.filter(({ metadata }) => metadata.labels?.[labels.environment] === name).length,
  };
}

/** A team as returned to one of its members. */
export function showTeam(
  team: Team,
  { clusters, viewer }: { readonly clusters: readonly TenantCluster[]; readonly viewer: Person },
): z.output<typeof teamView> {
  const { metadata, spec } = team;
  const { name, labels: ownLabels = {}, creationTimestamp = "" } = metadata;
  const { displayName = name, description = "", environments = [] } = spec;
  const { namespace = name, phase = "Pending", resourceUsage } = team.status ?? {};
  const { users = [], groups = [] } = spec.access;
  return {
    name,
    displayName,
    description,
    namespace,
    phase,
    role: memberRoleOf(team, viewer),
    clusterCount: clusters.length,
    memberCount: new Set(users.map((user) => user.name.trim().toLowerCase())).size,
    groupCount: groups.length,
    labels: ownLabels,
    createdAt: creationTimestamp,
    resourceVersion: metadata.resourceVersion,
    resourceLimits: spec.resourceLimits,
    resourceUsage,
    clusterDefaults: spec.clusterDefaults,
    environments: environments.map((environment) => showEnvironment(environment, clusters)),
  };
}
