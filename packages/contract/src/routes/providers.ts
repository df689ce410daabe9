import { ProviderConfig } from "@butler/api";
import { z } from "zod";
import { labelName, objectName } from "../names.ts";
import { inTeam, onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { deletion } from "../views/object.ts";
import { objectParams, providerView } from "./infrastructure.ts";
import { teamParams } from "./teams.ts";

const kind = "ProviderConfig";
const params = objectParams("provider");
const ofTeam = "/api/teams/{team}/providers";
const teamProviderParams = teamParams.extend({ provider: objectName("provider") });
const { provider, harvester, nutanix, proxmox, azure, aws, gcp, local, network, limits } = ProviderConfig.spec.shape;

const secret = (doc: string) => z.string().min(1).max(65_536).optional().describe(doc);

/** All keys that credentials can have. Which ones apply depends on the provider type. */
const credentials = z
  .strictObject({
    kubeconfig: secret("Kubeconfig for Harvester."),
    username: secret("Username for Nutanix or Proxmox."),
    password: secret("Password for Nutanix or Proxmox."),
    token: secret("API token for Proxmox, instead of a username and password."),
    clientID: secret("Application (client) ID for Azure."),
    clientSecret: secret("Client secret for Azure."),
    tenantID: secret("Directory (tenant) ID for Azure."),
    accessKeyID: secret("Access key ID for AWS."),
    secretAccessKey: secret("Secret access key for AWS."),
    serviceAccountKey: secret("Service account key for GCP, as JSON."),
  })
  .meta({ id: "ProviderCredentials", examples: [{ username: "butler", password: "the-password" }] });

const settings = {
  harvester,
  nutanix,
  proxmox,
  azure,
  aws,
  gcp,
  local,
  network,
  limits,
  credentials: credentials
    .optional()
    .describe("Credentials for the provider type. Write-only; stored in a Secret. Not used for local."),
};

const newProvider = z.strictObject({ name: labelName("provider"), provider, ...settings }).meta({
  id: "NewProvider",
  examples: [
    {
      name: "datacenter",
      provider: "nutanix",
      nutanix: {
        endpoint: "https://prism.example.com",
        clusterUUID: "0005b0f1-8f43-a0f2-02b7-3cecef193712",
        subnetUUID: "c7938dc6-7659-453e-a688-e26020c68e43",
      },
      credentials: { username: "butler", password: "the-password" },
    },
  ],
});

/** Request body for a new provider. */
export type NewProvider = z.output<typeof newProvider>;

const providerChange = z
  .strictObject({
    ...settings,
    credentials: credentials.optional().describe("New credentials. Replaces all stored credentials."),
    resourceVersion: z.string().min(1).optional().describe("Resource version that the update is based on."),
  })
  .meta({ id: "ProviderChange", examples: [{ limits: { maxClustersPerTeam: 10 } }] });

/** Fields of a provider that can be changed. */
export type ProviderChange = z.output<typeof providerChange>;

/** Result of a check of settings and credentials. */
const providerTest = z
  .object({
    valid: z.boolean().describe("Whether the provider passed all checks."),
    message: z.string().describe("Human-readable result, including any skipped checks."),
    category: z
      .enum(["credentials", "settings", "addresses"])
      .optional()
      .describe("Category of the problem. Absent if the provider passed all checks."),
  })
  .meta({ id: "ProviderTest", examples: [{ valid: false, category: "credentials", message: "password is missing" }] });

/** Result of a check of settings and credentials. */
export type ProviderTest = z.output<typeof providerTest>;

const stored =
  "The credentials are stored in a Secret that is deleted with the provider. Both objects are created as the";
const description = `${stored} calling user; if either is rejected, neither is kept.`;
const untried =
  "Checks that the credentials have the keys that the provider type requires, and validates the settings against the " +
  "platform rules. Does not connect to the infrastructure.";

export const createProvider = defineRoute({
  id: "providers.create",
  method: "POST",
  path: "/api/providers",
  summary: "Create a provider for all teams",
  description,
  permission: onPlatform("admin"),
  body: newProvider,
  responses: { 201: providerView },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind },
});

export const testProvider = defineRoute({
  id: "providers.test",
  method: "POST",
  path: "/api/providers/test",
  summary: "Validate a new provider without creating it",
  description: untried,
  permission: onPlatform("admin"),
  body: newProvider,
  responses: { 200: providerTest },
  audit: { action: "test", kind },
});

export const updateProvider = defineRoute({
  id: "providers.update",
  method: "PUT",
  path: "/api/providers/{namespace}/{name}",
  summary: "Update a provider; absent fields and the provider type stay unchanged",
  permission: onPlatform("admin"),
  params,
  body: providerChange,
  responses: { 200: providerView },
  audit: { action: "update", kind },
});

export const deleteProvider = defineRoute({
  id: "providers.delete",
  method: "DELETE",
  path: "/api/providers/{namespace}/{name}",
  summary: "Delete an unused provider and its stored credentials",
  permission: onPlatform("admin"),
  params,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

export const validateProvider = defineRoute({
  id: "providers.validate",
  method: "POST",
  path: "/api/providers/{namespace}/{name}/validate",
  summary: "Validate a provider with its stored credentials",
  description: untried,
  permission: onPlatform("admin"),
  params,
  responses: { 200: providerTest },
  audit: { action: "test", kind },
});

export const createTeamProvider = defineRoute({
  id: "providers.createForTeam",
  method: "POST",
  path: ofTeam,
  summary: "Create a provider for this team only",
  description,
  permission: inTeam("admin"),
  params: teamParams,
  body: newProvider,
  responses: { 201: providerView },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind },
});

export const testTeamProvider = defineRoute({
  id: "providers.testForTeam",
  method: "POST",
  path: `${ofTeam}/test`,
  summary: "Validate a new team provider without creating it",
  description: untried,
  permission: inTeam("admin"),
  params: teamParams,
  body: newProvider,
  responses: { 200: providerTest },
  audit: { action: "test", kind },
});

export const updateTeamProvider = defineRoute({
  id: "providers.updateForTeam",
  method: "PUT",
  path: `${ofTeam}/{provider}`,
  summary: "Update a team provider; absent fields stay unchanged",
  permission: inTeam("admin"),
  params: teamProviderParams,
  body: providerChange,
  responses: { 200: providerView },
  audit: { action: "update", kind },
});

export const deleteTeamProvider = defineRoute({
  id: "providers.deleteForTeam",
  method: "DELETE",
  path: `${ofTeam}/{provider}`,
  summary: "Delete a team provider and its stored credentials",
  permission: inTeam("admin"),
  params: teamProviderParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

/** All routes that change or validate providers. */
export const providerRoutes = [
  createProvider,
  testProvider,
  updateProvider,
  deleteProvider,
  validateProvider,
  createTeamProvider,
  testTeamProvider,
  updateTeamProvider,
  deleteTeamProvider,
] as const;
