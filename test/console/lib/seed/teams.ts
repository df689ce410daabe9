import { Team } from "@butler/api";
import { bindTeam, newObject, type WholeServer } from "@butler/server/testing";
import { roles } from "./people.ts";
import { hostile, hostileSentence } from "./texts.ts";

const members = [
  { name: roles["team-admin"].email, role: "admin" },
  { name: roles.operator.email, role: "operator" },
  { name: roles.viewer.email, role: "viewer" },
  { name: "grace@example.com", role: "operator" },
  { name: "linus@example.com", role: "viewer" },
];

const limits = {
  maxClusters: 30,
  maxTotalNodes: 60,
  maxCPUCores: "256",
  maxMemory: "1Ti",
  maxStorage: "10Ti",
  maxNodesPerCluster: 12,
};

const teams = {
  payments: {
    displayName: "Payments",
    description: "Everything between a basket and a receipt.",
    access: {
      users: members,
      groups: [
        { name: "payments-developers", role: "operator", identityProvider: "company" },
        { name: "payments-on-call", role: "admin" },
      ],
    },
    resourceLimits: limits,
    clusterDefaults: { kubernetesVersion: "v1.34.1", workerCount: 3 },
    environments: [
      { name: "dev", description: "For trying things out.", limits: { maxClusters: 12, maxClustersPerMember: 2 } },
      {
        name: "staging",
        description: "The rehearsal.",
        limits: { maxClusters: 8 },
        access: { users: [{ name: "grace@example.com", role: "admin" }] },
      },
      { name: "prod", description: "Where customers are.", clusterDefaults: { workerCount: 5 } },
    ],
  },
  research: {
    displayName: "Research",
    description: "Clusters that may fall over.",
    access: { users: [{ name: roles["team-admin"].email, role: "viewer" }] },
    environments: [{ name: "lab" }],
  },
  oddities: {
    displayName: hostile.markup,
    description: hostileSentence,
    access: {
      users: [{ name: roles.stranger.email, role: "admin" }],
      groups: [
        { name: hostile.script, role: "operator" },
        { name: hostile.long, role: "viewer" },
      ],
    },
    resourceLimits: { maxClusters: 3, maxTotalNodes: 2, maxCPUCores: "4" },
    environments: [
      { name: "an-environment-with-a-name-as-long-as-environments-may-have-one", description: hostileSentence },
      { name: "lab", description: hostile.rightToLeft },
    ],
  },
} as const;

/** Usage of each team, as its controller reports it. */
const usages = {
  payments: {
    clusters: 22,
    totalNodes: 52,
    totalCPU: "208",
    totalMemory: "832Gi",
    totalStorage: "5200Gi",
    clusterUtilization: 73,
    nodeUtilization: 86,
    cpuUtilization: 81,
    memoryUtilization: 81,
  },
  research: { clusters: 5, totalNodes: 9, totalCPU: "36", totalMemory: "144Gi", totalStorage: "900Gi" },
  oddities: { clusters: 3, totalNodes: 2, totalCPU: "8", totalMemory: "32Gi", totalStorage: "200Gi" },
} as const;

export type TeamName = keyof typeof teams;

/** Creates the teams with their namespaces and RBAC. */
export async function seedTeams({ cluster }: WholeServer): Promise<void> {
  for (const [name, spec] of Object.entries(teams)) {
    await cluster.createNamespace(name);
    await bindTeam(cluster, name);
    await cluster.client.create(Team, newObject(Team, { name }, { spec }));
    const resourceUsage = usages[name as TeamName];
    const isFull = name !== "research";
    const status = {
      phase: "Ready",
      namespace: name,
      resourceUsage,
      quotaStatus: isFull ? "Warning" : "OK",
      ...(isFull ? { quotaMessage: "86% of the worker nodes are in use" } : {}),
    };
    await cluster.client.patch(Team, { name }, { type: "merge", subresource: "status", patch: { status } });
  }
}
