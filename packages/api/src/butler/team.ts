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
  maxClusters: count("Clusters that the team may have; unset means no limit, 0 means none."),
  maxNodesPerCluster: count("Worker nodes that one cluster may have."),
  maxTotalNodes: count("Worker nodes over all clusters."),
  maxCPUCores: amount("CPU cores over all clusters."),
  maxMemory: amount("Memory over all clusters."),
  maxStorage: amount("Disk space over all clusters."),
  maxTotalCPU: amount("Older spelling of maxCPUCores; read when maxCPUCores is not set."),
  maxTotalMemory: amount("Older spelling of maxMemory; read when maxMemory is not set."),
  maxTotalStorage: amount("Older spelling of maxStorage; read when maxStorage is not set."),
  defaultNodeCount: int32().min(0).default(3).describe("Worker nodes of a new cluster that names no number."),
  defaultCPUPerNode: amount("CPU cores per worker of a new cluster that names no number."),
  defaultMemoryPerNode: amount("Memory per worker of a new cluster that names no amount."),
  allowedKubernetesVersions: names("Kubernetes versions that may be used; empty means all."),
  allowedProviders: names("ProviderConfigs that may be used, by name; empty means all that the team can reach."),
  allowedAddons: names("Add-ons that may be used; empty means all."),
  deniedAddons: names("Add-ons that may not be used; wins over allowedAddons."),
});

const environment = z.object({
  name: withRules(z.string().min(1).max(63), {
    rule: "self.matches('^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')",
    message: "must be letters, digits, '-', '_' and '.', beginning and ending with a letter or digit",
  }).describe("Name of the environment, which is also the value of the environment label on its clusters."),
  description: z.string().optional().describe("Text for people."),
  limits: z
    .object({
      maxClusters: count("Clusters in this environment; 0 or unset means no limit of its own."),
      maxClustersPerMember: count("Clusters one member may own in this environment; 0 or unset means no limit."),
    })
    .optional()
    .describe("Limits within the limits of the team."),
  access: teamAccess.optional().describe("Roles in this environment only. They add to team roles and never lower one."),
  clusterDefaults: clusterDefaults.optional().describe("Presets for new clusters; win over those of the team."),
});

const percent = (of: string) => int32().min(0).max(100).optional().describe(`Percent of ${of} in use, at most 100.`);

/** A group of people with clusters, a namespace and limits of their own. */
export const Team = defineResource({
  ...butlerGroup,
  kind: "Team",
  scope: "Cluster",
  shortNames: ["tm"],
  doc: "Team is a group of people who share clusters, limits and environments. Each team gets a namespace of its own.",
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63",
      message: "metadata.name becomes a namespace: at most 63 lower-case letters, digits and '-', without dots",
    },
  ],
  spec: z.object({
    displayName: z.string().optional().describe("Name shown to people."),
    description: z.string().optional().describe("Text for people."),
    access: teamAccess.prefault({}).describe("Members of the team."),
    resourceLimits: resourceLimits
      .optional()
      .describe("Limits and restrictions; when absent ButlerConfig.spec.defaultTeamLimits, and else none."),
    providerConfigRef: localRef("ProviderConfig")
      .optional()
      .describe("ProviderConfig of the team's clusters; when absent the platform's default."),
    clusterDefaults: clusterDefaults.optional().describe("Presets for new clusters of the team."),
    environments: listMap(environment, "name")
      .max(64)
      .optional()
      .describe("Named parts of the team's clusters, such as dev and prod."),
  }),
  status: z.object({
    conditions: conditions("NamespaceReady", "RBACReady", "Ready", "QuotaExceeded"),
    phase: z.enum(["Pending", "Ready", "Terminating", "Failed"]).optional().describe("Where the team is in its life."),
    namespace: z.string().optional().describe("Namespace that holds the team's objects."),
    observedGeneration: observedGeneration(),
    clusterCount: int32().optional().describe("Clusters that the team has."),
    memberCount: int32().optional().describe("People named in the team."),
    resourceUsage: z
      .object({
        clusters: int32().optional().describe("Clusters."),
        totalNodes: int32().optional().describe("Worker nodes."),
        totalCPU: amount("CPU cores."),
        totalMemory: amount("Memory."),
        totalStorage: amount("Disk space."),
        clusterUtilization: percent("maxClusters"),
        nodeUtilization: percent("maxTotalNodes"),
        cpuUtilization: percent("maxCPUCores"),
        memoryUtilization: percent("maxMemory"),
      })
      .optional()
      .describe("What the team uses now."),
    quotaStatus: z.enum(["OK", "Warning", "Exceeded"]).optional().describe("Use against limits, in one word."),
    quotaMessage: z.string().optional().describe("Use against limits, in a sentence."),
  }),
  columns: [
    { name: "Display Name", type: "string", jsonPath: ".spec.displayName" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Namespace", type: "string", jsonPath: ".status.namespace" },
    { name: "Clusters", type: "integer", jsonPath: ".status.clusterCount" },
    { name: "Quota", type: "string", jsonPath: ".status.quotaStatus" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "Team",
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
