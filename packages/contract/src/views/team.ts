import { Team } from "@butler/api";
import { z } from "zod";
import { moment, teamRole } from "../names.ts";

const shape = Team.spec.shape;
const amount = (doc: string) => z.union([z.string(), z.number()]).optional().describe(doc);

/** What an environment of a team is like. */
export const environmentView = z
  .object({
    name: z.string().describe("Name of the environment."),
    description: z.string().optional().describe("Text for people."),
    limits: z
      .object({
        maxClusters: z.int().optional().describe("Clusters in it; 0 or absent means no limit of its own."),
        maxClustersPerMember: z.int().optional().describe("Clusters of one member in it."),
      })
      .optional()
      .describe("Limits within those of the team."),
    access: shape.access.unwrap().optional().describe("Roles in this environment only."),
    clusterDefaults: shape.clusterDefaults,
    clusterCount: z.int().describe("Clusters in it."),
  })
  .meta({ id: "Environment", examples: [{ name: "dev", clusterCount: 2, limits: { maxClustersPerMember: 1 } }] });

/** What a team uses, against what it may. */
export const teamUsage = z
  .object({
    clusters: z.int().describe("Clusters."),
    nodes: z.int().describe("Worker machines."),
    cpu: z.string().describe("CPU cores."),
    memory: z.string().describe("Memory."),
    storage: z.string().describe("Disk space."),
    percent: z
      .object({
        clusters: z.int().optional().describe("Percent of the clusters."),
        nodes: z.int().optional().describe("Percent of the worker machines."),
        cpu: z.int().optional().describe("Percent of the CPU cores."),
        memory: z.int().optional().describe("Percent of the memory."),
        storage: z.int().optional().describe("Percent of the disk space."),
      })
      .describe("How far each limit is used up; absent where there is none."),
    status: z.enum(["OK", "Warning", "Exceeded"]).describe("The same in a word."),
    message: z.string().describe("The same in a sentence."),
  })
  .meta({
    id: "TeamUsage",
    examples: [
      {
        clusters: 2,
        nodes: 6,
        cpu: "24",
        memory: "96Gi",
        storage: "600Gi",
        percent: { clusters: 40 },
        status: "OK",
        message: "within every limit",
      },
    ],
  });

/** A team as its members see it. */
export const teamView = z
  .object({
    name: z.string().describe("Name of the team."),
    displayName: z.string().describe("Name shown to people."),
    description: z.string().describe("Text for people."),
    namespace: z.string().describe("Namespace with the team's objects."),
    phase: z.string().describe("Where the team is in its life."),
    role: teamRole.optional().describe("What the caller is in the team; absent for those who only see it."),
    clusterCount: z.int().describe("Clusters."),
    memberCount: z.int().describe("People named in the team."),
    groupCount: z.int().describe("Groups named in the team."),
    labels: z.record(z.string(), z.string()).describe("Labels."),
    createdAt: moment("When the team was made"),
    resourceVersion: z.string().optional().describe("Changes with every change."),
    resourceLimits: shape.resourceLimits,
    resourceUsage: z
      .object({
        clusters: z.int().optional().describe("Clusters."),
        totalNodes: z.int().optional().describe("Worker machines."),
        totalCPU: amount("CPU cores."),
        totalMemory: amount("Memory."),
        totalStorage: amount("Disk space."),
      })
      .optional()
      .describe("What the team was last found to use."),
    clusterDefaults: shape.clusterDefaults,
    environments: z.array(environmentView).describe("Parts of the team's clusters."),
  })
  .meta({
    id: "TeamView",
    examples: [
      {
        name: "payments",
        displayName: "Payments",
        description: "",
        namespace: "payments",
        phase: "Ready",
        role: "operator",
        clusterCount: 2,
        memberCount: 4,
        groupCount: 1,
        labels: {},
        createdAt: "2026-06-01T12:00:00Z",
        environments: [],
      },
    ],
  });

/** A member of a team. */
export const memberView = z
  .object({
    email: z.string().describe("E-mail address."),
    name: z.string().describe("Name shown to people; the address when there is none."),
    role: teamRole.describe("The highest role that anything gives them."),
    source: z
      .enum(["direct", "group", "elevated"])
      .describe("By name, through a group, or by name with more than the group gives."),
    directRole: teamRole.optional().describe("The role they have by name."),
    groupRole: teamRole.optional().describe("The role they have through a group."),
    groupName: z.string().optional().describe("The group that gives it."),
    canRemove: z.boolean().describe("Whether removing the entry takes something away."),
  })
  .meta({
    id: "Member",
    examples: [
      { email: "ada@example.com", name: "Ada", role: "admin", source: "direct", directRole: "admin", canRemove: true },
    ],
  });

/** A group whose members have a role in a team. */
export const groupView = z
  .object({
    name: z.string().describe("The group as the sign-in spells it."),
    role: teamRole.describe("What its members are."),
    identityProvider: z.string().optional().describe("The sign-in must have come through it; absent for any."),
  })
  .meta({ id: "Group", examples: [{ name: "payments-developers", role: "operator" }] });
