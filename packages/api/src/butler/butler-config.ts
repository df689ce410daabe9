import {
  conditions,
  defineResource,
  formattedText,
  httpUrl,
  int32,
  localRef,
  observedGeneration,
  type ObjectOf,
  quantity,
  secretRef,
  time,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { controlPlaneResources } from "./control-plane-resources.ts";
import { exposure, exposureModes } from "./exposure.ts";
import { butlerGroup } from "./group.ts";
import { observability } from "./observability.ts";

const limit = (doc: string) =>
  int32().min(1).optional().describe(`Maximum ${doc}. Must be at least 1. If unset, no limit applies.`);
const amount = (doc: string) => quantity().optional().describe(`Maximum ${doc}. If unset, no limit applies.`);
const addonVersion = (addon: string) =>
  z.string().optional().describe(`Version of ${addon}. Defaults to the version shipped with this Butler release.`);

const webhookUrl = (example: string) =>
  withRules(z.string().max(2048), {
    rule: "self == '' || self.matches('^https?://[^ ]+$')",
    message: `must be an http or https URL such as ${example}, or empty`,
  }).optional();

const multiTenancy = z.object({
  mode: z
    .enum(["Enforced", "Optional", "Disabled"])
    .default("Disabled")
    .describe(
      "Enforced: every TenantCluster must belong to a Team. Optional: a TenantCluster can belong to a Team. " +
        "Disabled: Teams are not used, and all clusters are in the default namespace.",
    ),
});

const defaultTeamLimits = z.object({
  maxClusters: limit("number of clusters per team"),
  maxWorkersPerCluster: limit("number of worker nodes per cluster"),
  maxTotalCPU: amount("number of CPU cores across all clusters in a team"),
  maxTotalMemory: amount("memory across all clusters in a team"),
  maxTotalStorage: amount("disk space across all clusters in a team"),
});

const defaultAddonVersions = z.object({
  cilium: addonVersion("Cilium"),
  metallb: addonVersion("MetalLB"),
  certManager: addonVersion("cert-manager"),
  longhorn: addonVersion("Longhorn"),
  traefik: addonVersion("Traefik"),
  fluxcd: addonVersion("Flux"),
});

const gitProvider = z.object({
  type: z.enum(["github", "gitlab", "bitbucket"]).describe("Type of the Git host."),
  url: z
    .string()
    .default("https://api.github.com")
    .describe(
      "URL of the Git host's API: `https://HOST/api/v3` for GitHub Enterprise, the site URL for GitLab. " +
        "The default works for github.com only; set this field for any other host.",
    ),
  organization: z
    .string()
    .optional()
    .describe(
      "Organization or group whose repositories are listed. If empty, all repositories visible to the account are listed.",
    ),
  secretRef: localRef("Secret").describe(
    "Secret with the credentials. Keys: `token` for github and gitlab, `username` and `app-password` for bitbucket.",
  ),
});

const imageFactory = z.object({
  url: httpUrl("https://factory.talos.dev").describe("URL of the Image Factory."),
  credentialsRef: secretRef()
    .optional()
    .describe("Secret with the Image Factory API key under the key `apiKey`. If unset, no API key is sent."),
  defaultSchematicID: z
    .string()
    .optional()
    .describe(
      "Schematic for clusters that do not specify one, as a hexadecimal SHA-256. If empty, no image is synced for them.",
    ),
  autoSync: z
    .boolean()
    .default(true)
    .describe("Whether an image missing from a provider is synced automatically when a cluster needs it."),
});

const localMachines = z.object({
  allowedImages: z
    .array(
      formattedText({
        pattern: "^[^@ ]+@sha256:[0-9a-f]{64}$",
        message: "must be an image with a digest, such as registry.example.com/butler-node@sha256:DIGEST",
        maxLength: 512,
      }),
    )
    .max(64)
    .optional()
    .describe(
      "Images, each with a digest, that ProviderConfigs and clusters may set for machines that run as pods. If empty, " +
        "these machines can only use the default image for their Kubernetes version.",
    ),
});

const audit = z.object({
  enabled: z.boolean().default(true).describe("Whether user actions are recorded."),
  webhookURL: webhookUrl("https://siem.example.com/events").describe(
    "URL that every event is posted to as JSON. If empty, events are not forwarded.",
  ),
  bufferSize: int32()
    .min(100)
    .max(100000)
    .default(10000)
    .describe("Number of events kept in memory for queries, 100 to 100000. The oldest events are dropped first."),
});

const status = z.object({
  conditions: conditions("Ready", "Progressing", "Degraded"),
  observedGeneration: observedGeneration(),
  teamCount: int32().optional().describe("Number of Teams."),
  clusterCount: int32().optional().describe("Number of TenantClusters."),
  gitProvider: z
    .object({
      connected: z.boolean().optional().describe("Whether the Git host accepted the credentials."),
      username: z.string().optional().describe("Account that the credentials belong to."),
      lastValidated: time().optional().describe("Time of the last credentials check."),
      message: z.string().optional().describe("Human-readable result of the last check."),
    })
    .optional()
    .describe("Result of the last Git credentials check."),
  controlPlaneExposureMode: z.enum(exposureModes).optional().describe("Exposure mode in effect."),
  tcpProxyRequired: z
    .boolean()
    .optional()
    .describe(
      "Whether pods in tenant clusters reach their API server through a TCP proxy. True if the exposure mode is Ingress or Gateway.",
    ),
  observability: z
    .object({
      pipelineReady: z
        .boolean()
        .optional()
        .describe("Whether the cluster that runs the observability pipeline is ready."),
      enrolledCount: int32().optional().describe("Number of clusters with agents installed."),
      totalCount: int32().optional().describe("Total number of clusters."),
    })
    .optional()
    .describe("Observability status of the platform."),
});

/** The settings of the platform. */
export const ButlerConfig = defineResource({
  ...butlerGroup,
  kind: "ButlerConfig",
  scope: "Cluster",
  shortNames: ["bc"],
  doc: "ButlerConfig is a singleton named butler that contains the platform settings.",
  rules: [
    {
      rule: "self.metadata.name == 'butler'",
      message: "metadata.name must be butler: the platform reads a single ButlerConfig with that name",
    },
  ],
  spec: z.object({
    multiTenancy: multiTenancy.prefault({}).describe("Whether clusters must belong to teams."),
    defaultNamespace: z
      .string()
      .default("butler-tenants")
      .describe("Namespace for clusters without a Team. Used if the tenancy mode is Optional or Disabled."),
    defaultProviderConfigRef: localRef("ProviderConfig")
      .optional()
      .describe("ProviderConfig to use if neither the cluster nor its Team specifies one."),
    defaultTeamLimits: defaultTeamLimits
      .optional()
      .describe("Limits for Teams without resourceLimits. If unset, such Teams have no limits."),
    defaultAddonVersions: defaultAddonVersions
      .optional()
      .describe("Add-on versions for clusters that do not specify a version."),
    gitProvider: gitProvider
      .optional()
      .describe("Git host for GitOps exports and Flux. If unset, neither is available."),
    controlPlaneExposure: exposure
      .optional()
      .describe("How tenant cluster API servers are exposed. If unset, each API server gets its own load balancer."),
    observability: observability.optional().describe("Logs, metrics and traces from tenant clusters."),
    defaultControlPlaneResources: controlPlaneResources
      .optional()
      .describe("Resources for hosted control planes. If unset, their pods have no requests or limits."),
    imageFactory: imageFactory
      .optional()
      .describe("Image Factory that provides operating system images. If unset, images are not synced to providers."),
    sshAuthorizedKey: z
      .string()
      .optional()
      .describe("SSH public key for workers that do not run Talos. Can be overridden per cluster."),
    defaultTimeServers: z
      .array(z.string())
      .optional()
      .describe(
        "NTP servers for Talos workers, unless the cluster or provider specifies its own. Defaults to pool.ntp.org.",
      ),
    localMachines: localMachines
      .optional()
      .describe("Settings for machines that run as pods in the management cluster, on ProviderConfigs of type local."),
    audit: audit.optional().describe("Audit log settings. If unset, auditing is enabled with the default settings."),
    notifications: z
      .object({
        webhookURL: webhookUrl("https://hooks.example.com/butler").describe(
          "URL to which every notification is posted as JSON, such as the webhook URL of a chat or paging service. If empty, notifications are not forwarded.",
        ),
      })
      .optional()
      .describe("Notification settings. If unset, notifications are shown only in the console."),
  }),
  status,
  columns: {
    Mode: ".spec.multiTenancy.mode",
    Git: ".spec.gitProvider.type",
    Teams: { type: "integer", jsonPath: ".status.teamCount" },
    Clusters: { type: "integer", jsonPath: ".status.clusterCount" },
  },
  example: {
    metadata: { name: "butler" },
    spec: {
      multiTenancy: { mode: "Enforced" },
      defaultProviderConfigRef: { name: "harvester" },
      defaultTeamLimits: { maxClusters: 5, maxTotalCPU: "64", maxTotalMemory: "256Gi" },
      gitProvider: { type: "github", organization: "example", secretRef: { name: "github" } },
      controlPlaneExposure: {
        mode: "Ingress",
        hostname: "*.k8s.example.com",
        ingressClassName: "haproxy",
        controllerType: "haproxy",
      },
      defaultControlPlaneResources: { apiServer: { requests: { cpu: "250m", memory: "512Mi" } } },
    },
  },
});
export type ButlerConfig = ObjectOf<typeof ButlerConfig>;
