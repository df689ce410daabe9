import { Team } from "@butler/api";
import { z } from "zod";
import { moment, teamRole } from "../names.ts";

const shape = Team.spec.shape;
const amount = (doc: string) => z.union([z.string(), z.number()]).optional().describe(doc);

/** An environment of a team. */
export const environmentView = z
  .object({
    name: z.string().describe("Name of the environment."),
    description: z.string().optional().describe("Description."),
    limits: z
      .object({
        maxClusters: z
          .int()
          .optional()
          .describe("Maximum number of clusters in the environment. If 0 or absent, the environment has no limit."),
        maxClustersPerMember: z.int().optional().describe("Maximum number of clusters per member in the environment."),
      })
      .optional()
      .describe("Environment limits, within the team limits."),
    access: shape.access.unwrap().optional().describe("Roles in this environment only."),
    clusterDefaults: shape.clusterDefaults,
    clusterCount: z.int().describe("Number of clusters."),
  })
  .meta({ id: "Environment", examples: [{ name: "dev", clusterCount: 2, limits: { maxClustersPerMember: 1 } }] });

/** Resource usage of a team against its limits. */
export const teamUsage = z
  .object({
    clusters: z.int().describe("Number of clusters."),
    nodes: z.int().describe("Number of workers."),
    cpu: z.string().describe("CPU cores."),
    memory: z.string().describe("Memory."),
    storage: z.string().describe("Disk space."),
    percent: z
      .object({
        clusters: z.int().optional().describe("Percentage of the cluster limit."),
        nodes: z.int().optional().describe("Percentage of the worker limit."),
        cpu: z.int().optional().describe("Percentage of the CPU limit."),
        memory: z.int().optional().describe("Percentage of the memory limit."),
        storage: z.int().optional().describe("Percentage of the disk limit."),
      })
      .describe("Usage as a percentage of each limit. Omitted if no limit is set."),
    status: z.enum(["OK", "Warning", "Exceeded"]).describe("Usage status."),
    message: z.string().describe("Human-readable usage status."),
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
        message: "within all limits",
      },
    ],
  });

/** A team as its members see it. */
export const teamView = z
  .object({
    name: z.string().describe("Name of the team."),
    displayName: z.string().describe("Display name."),
    description: z.string().describe("Description."),
    namespace: z.string().describe("Team namespace."),
    phase: z.string().describe("Team phase."),
    role: teamRole.optional().describe("The caller's role in the team. Absent if the caller is not a member."),
    clusterCount: z.int().describe("Number of clusters."),
    memberCount: z.int().describe("Number of users who are direct members."),
    groupCount: z.int().describe("Number of groups in the team."),
    labels: z.record(z.string(), z.string()).describe("Labels."),
    createdAt: moment("Creation time"),
    resourceVersion: z.string().optional().describe("Resource version, for concurrency control."),
    resourceLimits: shape.resourceLimits,
    resourceUsage: z
      .object({
        clusters: z.int().optional().describe("Number of clusters."),
        totalNodes: z.int().optional().describe("Number of workers."),
        totalCPU: amount("CPU cores."),
        totalMemory: amount("Memory."),
        totalStorage: amount("Disk space."),
      })
      .optional()
      .describe("Last observed resource usage."),
    clusterDefaults: shape.clusterDefaults,
    environments: z.array(environmentView).describe("Environments in the team."),
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
    email: z.string().describe("Email address."),
    name: z.string().describe("Display name. Falls back to the email address."),
    role: teamRole.describe("Effective role: the highest of the member's direct and group roles."),
    source: z
      .enum(["direct", "group", "elevated"])
      .describe(
        "Source of the role: `direct` (granted to the user), `group` (granted through a group) or `elevated` (direct role higher than the group role).",
      ),
    directRole: teamRole.optional().describe("Role granted directly to the user."),
    groupRole: teamRole.optional().describe("Role granted through a group."),
    groupName: z.string().optional().describe("Group that grants the role."),
    canRemove: z.boolean().describe("Whether the member has a direct role that can be removed."),
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
    name: z.string().describe("Name of the group, as in the user's token."),
    role: teamRole.describe("Role of the group members."),
    identityProvider: z
      .string()
      .optional()
      .describe("Identity provider that members must sign in through. Absent if any provider is accepted."),
  })
  .meta({ id: "Group", examples: [{ name: "payments-developers", role: "operator" }] });
