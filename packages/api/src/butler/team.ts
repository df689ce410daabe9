import {
  conditions,
  defineResource,
  int32,
  listMap,
  localRef,
  observedGeneration,
  type ObjectOf,
  quantity,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { clusterDefaults } from "./cluster-defaults.ts";
import { butlerGroup } from "./group.ts";
import { teamAccess } from "./team-access.ts";

const count = (doc: string) => int32().min(0).optional().describe(doc);
const amount = (doc: string) => quantity().optional().describe(doc);
const names = (doc: string) => z.array(z.string()).optional().describe(doc);

const resourceLimits = z.object({
  maxClusters: count("Maximum number of clusters in the team. If unset, no limit applies; 0 allows none."),
  maxNodesPerCluster: count("Maximum number of worker nodes per cluster."),
  maxTotalNodes: count("Maximum number of worker nodes across all clusters."),
  maxCPUCores: amount("Maximum number of CPU cores across all clusters."),
  maxMemory: amount("Maximum memory across all clusters."),
  maxStorage: amount("Maximum disk space across all clusters."),
  maxTotalCPU: amount("Deprecated: use maxCPUCores. Used if maxCPUCores is unset."),
  maxTotalMemory: amount("Deprecated: use maxMemory. Used if maxMemory is unset."),
  maxTotalStorage: amount("Deprecated: use maxStorage. Used if maxStorage is unset."),
  defaultNodeCount: int32().min(0).default(3).describe("Default number of worker nodes in new clusters."),
  defaultCPUPerNode: amount("Default number of CPU cores per worker in new clusters."),
  defaultMemoryPerNode: amount("Default memory per worker in new clusters."),
  allowedKubernetesVersions: names("Allowed Kubernetes versions. If empty, all versions are allowed."),
  allowedProviders: names(
    "Allowed ProviderConfigs: a name for one in the namespace butler-system, `namespace/name` for any other. If empty, " +
      "all ProviderConfigs available to the team are allowed.",
  ),
  allowedAddons: names("Allowed add-ons. If empty, all add-ons are allowed."),
  deniedAddons: names("Denied add-ons. Takes precedence over allowedAddons."),
});

const environment = z.object({
  name: withRules(z.string().min(1).max(63), {
    rule: "self.matches('^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')",
    message: "must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit",
  }).describe("Name of the environment. Also the value of the environment label on its clusters."),
  description: z.string().optional().describe("Human-readable description."),
  limits: z
    .object({
      maxClusters: count("Maximum number of clusters in this environment. If 0 or unset, only the team limit applies."),
      maxClustersPerMember: count(
        "Maximum number of clusters per member in this environment. If 0 or unset, no limit applies.",
      ),
    })
    .optional()
    .describe("Limits for the environment, in addition to the team limits."),
  access: teamAccess
    .optional()
    .describe("Roles that apply only in this environment. Environment roles add to team roles and never reduce them."),
  clusterDefaults: clusterDefaults
    .optional()
    .describe("Defaults for new clusters in the environment, which take precedence over the team defaults."),
});

const percent = (of: string) =>
  int32().min(0).max(100).optional().describe(`Utilization of ${of} as a percentage, capped at 100.`);

/** A group of users with clusters, a namespace and limits. */
export const Team = defineResource({
  ...butlerGroup,
  kind: "Team",
  scope: "Cluster",
  shortNames: ["tm"],
  doc: "Team is a group of users who share clusters, limits and environments. Each team has its own namespace.",
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63",
      message:
        "metadata.name is used as a namespace name: it must consist of at most 63 lowercase letters, digits and '-', without dots",
    },
  ],
  spec: z.object({
    displayName: z.string().optional().describe("Display name."),
    description: z.string().optional().describe("Human-readable description."),
    access: teamAccess.prefault({}).describe("Members of the team."),
    resourceLimits: resourceLimits
      .optional()
      .describe("Limits and restrictions. Defaults to ButlerConfig.spec.defaultTeamLimits."),
    providerConfigRef: localRef("ProviderConfig")
      .optional()
      .describe("ProviderConfig for the team's clusters. Defaults to ButlerConfig.spec.defaultProviderConfigRef."),
    clusterDefaults: clusterDefaults.optional().describe("Defaults for new clusters in the team."),
    environments: listMap(environment, "name")
      .max(64)
      .optional()
      .describe("Environments in the team, such as dev and prod."),
  }),
  status: z.object({
    conditions: conditions("NamespaceReady", "RBACReady", "Ready", "QuotaExceeded"),
    phase: z.enum(["Pending", "Ready", "Terminating", "Failed"]).optional().describe("Current phase of the team."),
    namespace: z.string().optional().describe("Namespace that contains the team's objects."),
    observedGeneration: observedGeneration(),
    clusterCount: int32().optional().describe("Number of clusters in the team."),
    memberCount: int32().optional().describe("Number of users listed in the team."),
    resourceUsage: z
      .object({
        clusters: int32().optional().describe("Number of clusters."),
        totalNodes: int32().optional().describe("Number of worker nodes."),
        totalCPU: amount("Total number of CPU cores."),
        totalMemory: amount("Total memory."),
        totalStorage: amount("Total disk space."),
        clusterUtilization: percent("maxClusters"),
        nodeUtilization: percent("maxTotalNodes"),
        cpuUtilization: percent("maxCPUCores"),
        memoryUtilization: percent("maxMemory"),
      })
      .optional()
      .describe("Current resource usage of the team."),
    quotaStatus: z.enum(["OK", "Warning", "Exceeded"]).optional().describe("Quota status."),
    quotaMessage: z.string().optional().describe("Human-readable message about the quota status."),
  }),
  columns: {
    "Display Name": ".spec.displayName",
    Phase: ".status.phase",
    Namespace: ".status.namespace",
    Clusters: { type: "integer", jsonPath: ".status.clusterCount" },
    Quota: ".status.quotaStatus",
  },
  example: {
    metadata: { name: "payments" },
    spec: {
      displayName: "Payments",
      access: {
        users: [{ name: "ada@example.com", role: "admin" }],
        groups: [{ name: "payments-developers", role: "operator" }],
      },
      resourceLimits: { maxClusters: 5, maxCPUCores: "64", maxMemory: "256Gi" },
      environments: [{ name: "dev", limits: { maxClustersPerMember: 1 } }, { name: "prod" }],
    },
  },
});
export type Team = ObjectOf<typeof Team>;
