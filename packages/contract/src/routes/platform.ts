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
const version = z.string().min(1).optional().describe("The version that the change is meant for.");
const policySpec = ClusterCreationPolicy.spec.describe("The policy.");

const settings = z
  .object({
    spec: ButlerConfig.spec.describe("The settings."),
    status: ButlerConfig.status.optional().describe("What there is."),
    resourceVersion: z.string().optional().describe("Changes with every change."),
  })
  .meta({ id: "Settings", examples: [{ spec: ButlerConfig.example["spec"] }] });

export const getSettings = defineRoute({
  id: "settings.get",
  method: "GET",
  path: "/api/admin/config",
  summary: "Show the settings of the platform",
  permission: onPlatform("viewer"),
  responses: { 200: settings },
  audit: "none",
});

export const putSettings = defineRoute({
  id: "settings.put",
  method: "PUT",
  path: "/api/admin/config",
  summary: "Change settings of the platform",
  description: "A section of the spec that is sent takes the place of the one that is there; what is not sent stays.",
  permission: onPlatform("admin"),
  body: z
    .strictObject({
      spec: z.record(z.string(), z.unknown()).describe("The sections to change; null takes one away."),
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
  summary: "List the policies for new clusters",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created"], { team: filter("Only policies for this team.") }),
  responses: { 200: page("policies", policyView) },
  audit: "none",
});

export const getPolicy = defineRoute({
  id: "policies.get",
  method: "GET",
  path: `${policies}/{name}`,
  summary: "Show a policy for new clusters",
  permission: onPlatform("viewer"),
  params: policyParams,
  responses: { 200: policyView },
  audit: "none",
});

export const createPolicy = defineRoute({
  id: "policies.create",
  method: "POST",
  path: policies,
  summary: "Make a policy for new clusters",
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
  summary: "Replace a policy for new clusters",
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
  summary: "Delete a policy for new clusters",
  permission: onPlatform("admin"),
  params: policyParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind: "ClusterCreationPolicy" },
});

/** Who is signed in. */
export const meView = z
  .object({
    email: z.string().describe("E-mail address."),
    name: z.string().describe("Name shown to people."),
    picture: z.string().optional().describe("Address of a picture."),
    teams: z
      .array(z.object({ name: z.string().describe("Name of the team."), role: teamRole.describe("Role in it.") }))
      .describe("Teams that the person belongs to."),
    isPlatformAdmin: z.boolean().describe("Whether the person administers the platform."),
    platformRole: z.enum(["admin", "viewer"]).optional().describe("Role on the platform; absent for none."),
  })
  .meta({
    id: "Me",
    examples: [
      { email: "ada@example.com", name: "Ada", teams: [{ name: "payments", role: "admin" }], isPlatformAdmin: false },
    ],
  });

/** Every route about settings and policies. */
export const platformRoutes = [
  getSettings,
  putSettings,
  listPolicies,
  getPolicy,
  createPolicy,
  updatePolicy,
  deletePolicy,
] as const;
