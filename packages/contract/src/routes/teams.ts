import { Team } from "@butler/api";
import { z } from "zod";
import { environmentName, labelName } from "../names.ts";
import { filter, listQuery, page } from "../paging.ts";
import { inTeam, onPlatform, signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { clusterView } from "../views/cluster.ts";
import { deletion } from "../views/object.ts";
import { environmentView, teamUsage, teamView } from "../views/team.ts";
import { environmentBody, newEnvironment } from "./team-bodies.ts";

const kind = "Team";
const shape = Team.spec.shape;

/** Which team is meant. */
export const teamParams = z.object({ team: labelName("team") });

const text = (doc: string) => z.string().max(1000).optional().describe(doc);

export const listTeams = defineRoute({
  id: "teams.list",
  method: "GET",
  path: "/api/teams",
  summary: "List the teams that the caller belongs to, or all of them for those with a role on the platform",
  permission: signedIn,
  query: listQuery(["name", "created", "clusters"], { phase: filter("Only teams in this phase.") }),
  responses: { 200: page("teams", teamView) },
  audit: "none",
});

export const getTeam = defineRoute({
  id: "teams.get",
  method: "GET",
  path: "/api/teams/{team}",
  summary: "Show a team",
  permission: inTeam("viewer"),
  params: teamParams,
  responses: { 200: teamView },
  audit: "none",
});

export const createTeam = defineRoute({
  id: "teams.create",
  method: "POST",
  path: "/api/teams",
  aliases: ["/api/admin/teams"],
  summary: "Make a team",
  permission: onPlatform("admin"),
  body: z
    .strictObject({
      name: labelName("team"),
      displayName: text("Name shown to people."),
      description: text("Text for people."),
      namespace: labelName("namespace")
        .optional()
        .describe("Must be the team's name: a team has the namespace of its name."),
      resourceLimits: shape.resourceLimits,
      clusterDefaults: shape.clusterDefaults,
    })
    .meta({ id: "NewTeam", examples: [{ name: "payments", displayName: "Payments" }] }),
  responses: { 201: teamView },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind },
});

export const updateTeam = defineRoute({
  id: "teams.update",
  method: "PUT",
  path: "/api/teams/{team}",
  summary: "Change a team",
  description: "Limits can be changed by administrators of the platform only; admission decides.",
  permission: inTeam("admin"),
  params: teamParams,
  body: z
    .strictObject({
      displayName: text("Name shown to people; empty clears it."),
      description: text("Text for people; empty clears it."),
      resourceLimits: shape.resourceLimits.describe("Limits; they take the place of those that are there."),
      clusterDefaults: shape.clusterDefaults,
      resourceVersion: z.string().min(1).optional().describe("The version that the change is meant for."),
    })
    .meta({ id: "TeamChange", examples: [{ displayName: "Payments and refunds" }] }),
  responses: { 200: teamView },
  audit: { action: "update", kind },
});

export const deleteTeam = defineRoute({
  id: "teams.delete",
  method: "DELETE",
  path: "/api/teams/{team}",
  aliases: ["/api/admin/teams/{team}"],
  summary: "Delete a team that has no clusters",
  permission: onPlatform("admin"),
  params: teamParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

export const listTeamClusters = defineRoute({
  id: "teams.clusters",
  method: "GET",
  path: "/api/teams/{team}/clusters",
  summary: "List the clusters of a team",
  permission: inTeam("viewer"),
  params: teamParams,
  query: listQuery(["name", "created", "phase", "version"], {
    environment: filter("Only clusters in this environment."),
    phase: filter("Only clusters in this phase."),
  }),
  responses: { 200: page("clusters", clusterView) },
  audit: "none",
});

export const getTeamUsage = defineRoute({
  id: "teams.usage",
  method: "GET",
  path: "/api/teams/{team}/usage",
  summary: "Show what a team uses, against what it may",
  permission: inTeam("viewer"),
  params: teamParams,
  responses: { 200: teamUsage },
  audit: "none",
});

const environmentParams = teamParams.extend({ environment: environmentName() });

export const listEnvironments = defineRoute({
  id: "teams.environments",
  method: "GET",
  path: "/api/teams/{team}/environments",
  summary: "List the environments of a team",
  permission: inTeam("viewer"),
  params: teamParams,
  responses: {
    200: z.object({
      environments: z.array(environmentView).describe("The environments."),
      total: z.int().describe("How many."),
    }),
  },
  audit: "none",
});

export const createEnvironment = defineRoute({
  id: "teams.createEnvironment",
  method: "POST",
  path: "/api/teams/{team}/environments",
  summary: "Add an environment to a team",
  permission: inTeam("admin"),
  params: teamParams,
  body: newEnvironment,
  responses: { 201: environmentView },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create-environment", kind },
});

export const updateEnvironment = defineRoute({
  id: "teams.updateEnvironment",
  method: "PUT",
  path: "/api/teams/{team}/environments/{environment}",
  summary: "Change an environment; what is absent stays",
  permission: inTeam("admin"),
  params: environmentParams,
  body: environmentBody.partial().meta({ id: "EnvironmentChange", examples: [{ limits: { maxClusters: 3 } }] }),
  responses: { 200: environmentView },
  audit: { action: "update-environment", kind },
});

export const deleteEnvironment = defineRoute({
  id: "teams.deleteEnvironment",
  method: "DELETE",
  path: "/api/teams/{team}/environments/{environment}",
  summary: "Remove an environment that has no clusters",
  permission: inTeam("admin"),
  params: environmentParams,
  responses: { 200: deletion },
  audit: { action: "delete-environment", kind },
});

/** Every route about teams and their environments. */
export const teamRoutes = [
  listTeams,
  getTeam,
  createTeam,
  updateTeam,
  deleteTeam,
  listTeamClusters,
  getTeamUsage,
  listEnvironments,
  createEnvironment,
  updateEnvironment,
  deleteEnvironment,
] as const;
