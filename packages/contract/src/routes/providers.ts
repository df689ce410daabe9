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

/** Every key that credentials can have; which ones count is a matter of the kind of infrastructure. */
const credentials = z
  .strictObject({
    kubeconfig: secret("harvester: a kubeconfig."),
    username: secret("nutanix and proxmox: the account."),
    password: secret("nutanix and proxmox: its password."),
    token: secret("proxmox: an API token, in the place of account and password."),
    clientID: secret("azure: id of the application."),
    clientSecret: secret("azure: secret of the application."),
    tenantID: secret("azure: id of the directory."),
    accessKeyID: secret("aws: id of the access key."),
    secretAccessKey: secret("aws: the access key."),
    serviceAccountKey: secret("gcp: JSON key of a service account."),
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
    .describe("What the kind of infrastructure asks for: stored in a Secret, and never shown. None for local."),
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

/** What a new provider is asked for with. */
export type NewProvider = z.output<typeof newProvider>;

const providerChange = z
  .strictObject({
    ...settings,
    credentials: credentials.optional().describe("New credentials, in the place of all that are stored."),
    resourceVersion: z.string().min(1).optional().describe("The version that the change is meant for."),
  })
  .meta({ id: "ProviderChange", examples: [{ limits: { maxClustersPerTeam: 10 } }] });

/** What a provider can be changed in. */
export type ProviderChange = z.output<typeof providerChange>;

/** What a look at settings and credentials has shown. */
const providerTest = z
  .object({
    valid: z.boolean().describe("Whether nothing was found to be wrong."),
    message: z.string().describe("What was found, and what was not looked at, as sentences."),
    category: z
      .enum(["credentials", "settings", "addresses"])
      .optional()
      .describe("What is at fault, when something is."),
  })
  .meta({ id: "ProviderTest", examples: [{ valid: false, category: "credentials", message: "password is missing" }] });

/** What the result of such a look is made of. */
export type ProviderTest = z.output<typeof providerTest>;

const stored = "The credentials go into a Secret of the provider's own, which goes with it; both are written as the";
const description = `${stored} person who asks, and a refusal leaves neither behind.`;
const untried =
  "Credentials are checked for what the kind of infrastructure needs, and the platform's rules judge the rest. The " +
  "infrastructure itself is not asked.";

export const createProvider = defineRoute({
  id: "providers.create",
  method: "POST",
  path: "/api/providers",
  summary: "Make a provider that every team can use",
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
  summary: "Say whether a provider could be made, and make none",
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
  summary: "Change a provider; what is absent stays, and so does the kind of infrastructure",
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
  summary: "Delete a provider that no cluster uses, with the credentials that were stored for it",
  permission: onPlatform("admin"),
  params,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

export const validateProvider = defineRoute({
  id: "providers.validate",
  method: "POST",
  path: "/api/providers/{namespace}/{name}/validate",
  summary: "Say whether a provider is as it should be, with the credentials that are stored",
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
  summary: "Make a provider that only this team can use",
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
  summary: "Say whether a provider of the team could be made, and make none",
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
  summary: "Change a provider of the team's own; what is absent stays",
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
  summary: "Delete a provider of the team's own, with the credentials that were stored for it",
  permission: inTeam("admin"),
  params: teamProviderParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

/** Every route that changes or tries providers. */
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
