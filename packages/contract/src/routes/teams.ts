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

/** Path parameters of a team. */
export const teamParams = z.object({ team: labelName("team") });

const text = (doc: string) => z.string().max(1000).optional().describe(doc);

export const listTeams = defineRoute({
  id: "teams.list",
  method: "GET",
  path: "/api/teams",
  summary: "List your teams (all teams if you have a platform role)",
  permission: signedIn,
  query: listQuery(["name", "created", "clusters"], { phase: filter("Return only teams in this phase.") }),
  responses: { 200: page("teams", teamView) },
  audit: "none",
});

export const getTeam = defineRoute({
  id: "teams.get",
  method: "GET",
  path: "/api/teams/{team}",
  summary: "Get a team",
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
  summary: "Create a team",
  permission: onPlatform("admin"),
  body: z
    .strictObject({
      name: labelName("team"),
      displayName: text("Display name."),
      description: text("Description."),
      namespace: labelName("namespace").optional().describe("Namespace of the team. Must match the team name."),
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
  summary: "Update a team",
  description: "Only platform administrators can change limits.",
  permission: inTeam("admin"),
  params: teamParams,
  body: z
    .strictObject({
      displayName: text("Display name. Set to an empty string to clear."),
      description: text("Description. Set to an empty string to clear."),
      resourceLimits: shape.resourceLimits.describe("Limits. Replaces the current limits."),
      clusterDefaults: shape.clusterDefaults,
      resourceVersion: z.string().min(1).optional().describe("Resource version that the update is based on."),
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
    environment: filter("Return only clusters in this environment."),
    phase: filter("Return only clusters in this phase."),
  }),
  responses: { 200: page("clusters", clusterView) },
  audit: "none",
});

export const getTeamUsage = defineRoute({
  id: "teams.usage",
  method: "GET",
  path: "/api/teams/{team}/usage",
  summary: "Get the resource usage and limits of a team",
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
      environments: z.array(environmentView).describe("Environments."),
      total: z.int().describe("Number of environments."),
    }),
  },
  audit: "none",
});

export const createEnvironment = defineRoute({
  id: "teams.createEnvironment",
  method: "POST",
  path: "/api/teams/{team}/environments",
  summary: "Create an environment in a team",
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
  summary: "Update an environment; absent fields stay unchanged",
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
  summary: "Delete an environment that has no clusters",
  permission: inTeam("admin"),
  params: environmentParams,
  responses: { 200: deletion },
  audit: { action: "delete-environment", kind },
});

/** All routes for teams and their environments. */
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
