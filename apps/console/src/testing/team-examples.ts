import { labels, annotations } from "@butler/api";
import { getMe, getTeam, getTeamUsage, listTeams } from "@butler/contract";
import type { ClusterView } from "../parts/cluster-facts.ts";
import { aTeam } from "./a-team.ts";
import type { Me, TeamView } from "../session/me.ts";
import type { RouteAnswers } from "./open-console.tsx";

/** A team with two environments. */
export const exampleTeam = aTeam({
  role: "admin",
  clusterCount: 2,
  memberCount: 2,
  groupCount: 1,
  resourceVersion: "7",
  environments: [
    { name: "dev", clusterCount: 1, limits: { maxClusters: 3, maxClustersPerMember: 1 } },
    { name: "prod", clusterCount: 0 },
  ],
});

/** A cluster of the team. */
export function exampleCluster(name: string, of: { readonly environment?: string; readonly owner?: string } = {}) {
  return {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "TenantCluster",
    metadata: {
      name,
      namespace: "payments",
      generation: 1,
      labels: of.environment === undefined ? {} : { [labels.environment]: of.environment },
      annotations: of.owner === undefined ? {} : { [annotations.owner]: of.owner },
    },
    spec: {
      kubernetesVersion: "v1.34.1",
      teamRef: { name: "payments" },
      controlPlane: { replicas: 1 },
      networking: {},
      workers: { replicas: 2, machineTemplate: { cpu: 4, memory: "8Gi", diskSize: "50Gi" } },
    },
    status: { phase: "Ready" },
  } as unknown as ClusterView;
}

/** An admin of the team, as its list of members shows her. */
export const exampleAdmin = {
  email: "ada@example.com",
  name: "Ada",
  role: "admin",
  source: "direct",
  directRole: "admin",
  canRemove: true,
} as const;

/** A signed-in user with a role in the team. */
export function exampleMe(role: "admin" | "operator" | "viewer"): Me {
  return { email: "ada@example.com", name: "Ada", teams: [{ name: "payments", role }], isPlatformAdmin: false };
}

/** Responses that every team page needs. */
export function teamAnswers(role: "admin" | "operator" | "viewer", team: TeamView = exampleTeam): RouteAnswers[] {
  return [
    { route: getMe, answer: () => exampleMe(role) },
    { route: listTeams, answer: () => ({ teams: [team], total: 1 }) },
    { route: getTeam, answer: () => team },
    {
      route: getTeamUsage,
      answer: () => ({
        clusters: 2,
        nodes: 4,
        cpu: "16",
        memory: "32Gi",
        storage: "200Gi",
        percent: { clusters: 40 },
        status: "OK",
        message: "within all limits",
      }),
    },
  ];
}
