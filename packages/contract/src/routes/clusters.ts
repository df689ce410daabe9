import { kubeconfigAccess, maximumPoolSize } from "@butler/api";
import { z } from "zod";
import { environmentName, kubernetesVersion, labelName, objectName } from "../names.ts";
import { filter, listQuery, page } from "../paging.ts";
import { inTeamOfBody, onCluster, signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { clusterKubeconfig, clusterPlan, clusterView, clusterWhy, eventView, nodeView } from "../views/cluster.ts";
import { kubernetesVersions } from "../views/kubernetes-versions.ts";
import { deletion } from "../views/object.ts";
import { clusterChange, newCluster } from "./cluster-bodies.ts";

const kind = "TenantCluster";

/** Path parameters of a cluster. */
export const clusterParams = z.object({ namespace: labelName("namespace"), name: objectName("cluster") });

const one = "/api/clusters/{namespace}/{name}";

/** Clusters that the caller can see. */
export const listClusters = defineRoute({
  id: "clusters.list",
  method: "GET",
  path: "/api/clusters",
  summary: "List clusters",
  permission: signedIn,
  query: listQuery(["name", "created", "team", "phase", "version"], {
    namespace: filter("Return only clusters in this namespace."),
    team: filter("Return only clusters of this team."),
    environment: filter("Return only clusters in this environment."),
    phase: filter("Return only clusters in this phase."),
    provider: filter("Return only clusters that use the ProviderConfig with this name."),
    version: filter("Return only clusters with this Kubernetes version."),
  }),
  responses: { 200: page("clusters", clusterView) },
  audit: "none",
});

export const getCluster = defineRoute({
  id: "clusters.get",
  method: "GET",
  path: one,
  summary: "Get a cluster",
  permission: onCluster("viewer"),
  params: clusterParams,
  responses: { 200: clusterView },
  audit: "none",
});

export const createCluster = defineRoute({
  id: "clusters.create",
  method: "POST",
  path: "/api/clusters",
  summary: "Create a cluster",
  description: "Creates the cluster as the calling user, so the team's roles, policies and limits apply.",
  permission: inTeamOfBody("operator"),
  body: newCluster,
  responses: { 201: clusterView },
  errors: ["ALREADY_EXISTS", "NOT_FOUND"],
  audit: { action: "create", kind },
});

export const planCluster = defineRoute({
  id: "clusters.plan",
  method: "POST",
  path: "/api/clusters/plan",
  summary: "Validate a new cluster without creating it (dry run)",
  permission: inTeamOfBody("operator"),
  body: newCluster,
  responses: { 200: clusterPlan },
  errors: ["NOT_FOUND"],
  audit: "none",
});

export const updateCluster = defineRoute({
  id: "clusters.update",
  method: "PUT",
  path: one,
  summary: "Update a cluster",
  permission: onCluster("operator"),
  params: clusterParams,
  body: clusterChange,
  responses: { 200: clusterView },
  audit: { action: "update", kind },
});

export const scaleCluster = defineRoute({
  id: "clusters.scale",
  method: "PATCH",
  path: `${one}/scale`,
  summary: "Scale the workers of a cluster",
  permission: onCluster("operator"),
  params: clusterParams,
  body: z
    .strictObject({
      replicas: z.int().min(0).max(maximumPoolSize).describe("Number of workers. The main pool requires at least 1."),
      pool: labelName("pool", 20).optional().describe("Worker pool. Defaults to the main pool."),
    })
    .meta({ id: "ClusterScale", examples: [{ replicas: 5 }] }),
  responses: { 200: clusterView },
  audit: { action: "scale", kind },
});

export const upgradeCluster = defineRoute({
  id: "clusters.upgrade",
  method: "POST",
  path: `${one}/upgrade`,
  summary: "Upgrade the Kubernetes version of a cluster",
  permission: onCluster("operator"),
  params: clusterParams,
  body: z
    .strictObject({ version: kubernetesVersion() })
    .meta({ id: "ClusterUpgrade", examples: [{ version: "v1.35.0" }] }),
  responses: { 200: clusterView },
  audit: { action: "upgrade", kind },
});

export const deleteCluster = defineRoute({
  id: "clusters.delete",
  method: "DELETE",
  path: one,
  summary: "Delete a cluster and everything in it",
  description: "Returns immediately; `why` reports what the deletion is waiting for.",
  permission: onCluster("operator"),
  params: clusterParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

export const moveCluster = defineRoute({
  id: "clusters.environment",
  method: "PUT",
  path: `${one}/environment`,
  summary: "Move a cluster to another environment of its team",
  permission: onCluster("operator"),
  params: clusterParams,
  body: z
    .strictObject({
      environment: z.union([environmentName(), z.literal("")]).describe("Name of the environment. Empty for none."),
    })
    .meta({ id: "ClusterEnvironment", examples: [{ environment: "prod" }] }),
  responses: { 200: clusterView },
  audit: { action: "move", kind },
});

export const protectCluster = defineRoute({
  id: "clusters.protection",
  method: "PUT",
  path: `${one}/protection`,
  summary: "Enable or disable deletion protection",
  permission: onCluster("operator"),
  params: clusterParams,
  body: z
    .strictObject({ enabled: z.boolean().describe("Whether deletion is blocked.") })
    .meta({ id: "ClusterProtection", examples: [{ enabled: true }] }),
  responses: { 200: clusterView },
  audit: { action: "protect", kind },
});

export const whyCluster = defineRoute({
  id: "clusters.why",
  method: "GET",
  path: `${one}/why`,
  summary: "Diagnose a cluster",
  permission: onCluster("viewer"),
  params: clusterParams,
  responses: { 200: clusterWhy },
  audit: "none",
});

export const clusterKubeconfigRoute = defineRoute({
  id: "clusters.kubeconfig",
  method: "GET",
  path: `${one}/kubeconfig`,
  summary: "Get the admin kubeconfig of a cluster",
  description: "All admins share this file, and it remains valid after a membership ends, until the CA is rotated.",
  permission: onCluster(kubeconfigAccess.role, kubeconfigAccess.hint),
  params: clusterParams,
  responses: { 200: clusterKubeconfig },
  errors: ["CONFLICT"],
  audit: { action: "download-kubeconfig", kind },
});

export const listClusterNodes = defineRoute({
  id: "clusters.nodes",
  method: "GET",
  path: `${one}/nodes`,
  summary: "List the nodes of a cluster",
  permission: onCluster("viewer"),
  params: clusterParams,
  responses: {
    200: z.object({ nodes: z.array(nodeView).describe("Nodes."), total: z.int().describe("Number of nodes.") }),
  },
  errors: ["TENANT_UNREACHABLE", "CONFLICT"],
  audit: "none",
});

export const listClusterEvents = defineRoute({
  id: "clusters.events",
  method: "GET",
  path: `${one}/events`,
  summary: "List recent events of a cluster, newest first",
  permission: onCluster("viewer"),
  params: clusterParams,
  query: listQuery(
    ["last", "type", "reason"],
    { type: filter("Return only events of this type: Normal or Warning.") },
    "-last",
  ),
  responses: { 200: page("events", eventView) },
  audit: "none",
});

export const exportCluster = defineRoute({
  id: "clusters.export",
  method: "GET",
  path: `${one}/export`,
  summary: "Export a cluster as a manifest",
  permission: onCluster("viewer"),
  params: clusterParams,
  responses: { 200: z.string().describe("YAML without server-set fields.") },
  contentType: "application/yaml",
  audit: { action: "export", kind },
});

export const listKubernetesVersions = defineRoute({
  id: "clusters.versions",
  method: "GET",
  path: "/api/kubernetes-versions",
  summary: "List available Kubernetes versions",
  permission: signedIn,
  query: z.object({ team: filter("Return only versions available to this team.") }),
  responses: { 200: kubernetesVersions },
  errors: ["NOT_FOUND"],
  audit: "none",
});

/** All routes for clusters. */
export const clusterRoutes = [
  listClusters,
  getCluster,
  createCluster,
  planCluster,
  updateCluster,
  scaleCluster,
  upgradeCluster,
  deleteCluster,
  moveCluster,
  protectCluster,
  whyCluster,
  clusterKubeconfigRoute,
  listClusterNodes,
  listClusterEvents,
  exportCluster,
  listKubernetesVersions,
] as const;
