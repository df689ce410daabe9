import { ButlerConfig, ClusterCreationPolicy } from "@butler/api";
import { z } from "zod";
import { objectName, teamRole } from "../names.ts";
import { filter, listQuery, page } from "../paging.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { deletion, objectView } from "../views/object.ts";

const policyView = objectView(ClusterCreationPolicy);
const policies = "/api/admin/policies";
const policyParams = z.object({ name: objectName("policy") });
const version = z.string().min(1).optional().describe("Resource version that the update is based on.");
const policySpec = ClusterCreationPolicy.spec.describe("Policy for new clusters.");

const settings = z
  .object({
    spec: ButlerConfig.spec.describe("Platform settings."),
    status: ButlerConfig.status.optional().describe("Observed state of the platform."),
    resourceVersion: z.string().optional().describe("Resource version, for concurrency control."),
  })
  .meta({ id: "Settings", examples: [{ spec: ButlerConfig.example["spec"] }] });

export const getSettings = defineRoute({
  id: "settings.get",
  method: "GET",
  path: "/api/admin/config",
  summary: "Get the platform settings",
  permission: onPlatform("viewer"),
  responses: { 200: settings },
  audit: "none",
});

export const putSettings = defineRoute({
  id: "settings.put",
  method: "PUT",
  path: "/api/admin/config",
  summary: "Update the platform settings",
  description: "Each section of the spec in the request replaces the current section. Absent sections stay unchanged.",
  permission: onPlatform("admin"),
  body: z
    .strictObject({
      spec: z.record(z.string(), z.unknown()).describe("Sections to replace. Set a section to null to remove it."),
      resourceVersion: version,
    })
    .meta({ id: "SettingsChange", examples: [{ spec: { multiTenancy: { mode: "Enforced" } } }] }),
  responses: { 200: settings },
  audit: { action: "update", kind: "ButlerConfig" },
});

export const listPolicies = defineRoute({
  id: "policies.list",
  method: "GET",
  path: policies,
  summary: "List cluster creation policies",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created"], { team: filter("Return only policies for this team.") }),
  responses: { 200: page("policies", policyView) },
  audit: "none",
});

export const getPolicy = defineRoute({
  id: "policies.get",
  method: "GET",
  path: `${policies}/{name}`,
  summary: "Get a cluster creation policy",
  permission: onPlatform("viewer"),
  params: policyParams,
  responses: { 200: policyView },
  audit: "none",
});

export const createPolicy = defineRoute({
  id: "policies.create",
  method: "POST",
  path: policies,
  summary: "Create a cluster creation policy",
  permission: onPlatform("admin"),
  body: z
    .strictObject({ name: objectName("policy"), spec: policySpec })
    .meta({ id: "NewPolicy", examples: [{ name: "images", spec: ClusterCreationPolicy.example["spec"] }] }),
  responses: { 201: policyView },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind: "ClusterCreationPolicy" },
});

export const updatePolicy = defineRoute({
  id: "policies.update",
  method: "PUT",
  path: `${policies}/{name}`,
  summary: "Replace a cluster creation policy",
  permission: onPlatform("admin"),
  params: policyParams,
  body: z
    .strictObject({ spec: policySpec, resourceVersion: version })
    .meta({ id: "PolicyChange", examples: [{ spec: ClusterCreationPolicy.example["spec"] }] }),
  responses: { 200: policyView },
  audit: { action: "update", kind: "ClusterCreationPolicy" },
});

export const deletePolicy = defineRoute({
  id: "policies.delete",
  method: "DELETE",
  path: `${policies}/{name}`,
  summary: "Delete a cluster creation policy",
  permission: onPlatform("admin"),
  params: policyParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind: "ClusterCreationPolicy" },
});

/** The signed-in user. */
export const meView = z
  .object({
    email: z.string().describe("Email address."),
    name: z.string().describe("Display name."),
    picture: z.string().optional().describe("Avatar URL."),
    teams: z
      .array(z.object({ name: z.string().describe("Name of the team."), role: teamRole.describe("Role in the team.") }))
      .describe("Teams that the user belongs to."),
    isPlatformAdmin: z.boolean().describe("Whether the user is a platform administrator."),
    platformRole: z.enum(["admin", "viewer"]).optional().describe("Platform role. Absent if none."),
  })
  .meta({
    id: "Me",
    examples: [
      { email: "ada@example.com", name: "Ada", teams: [{ name: "payments", role: "admin" }], isPlatformAdmin: false },
    ],
  });

/** All routes for settings and policies. */
export const platformRoutes = [
  getSettings,
  putSettings,
  listPolicies,
  getPolicy,
  createPolicy,
  updatePolicy,
  deletePolicy,
] as const;
