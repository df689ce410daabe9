import {
  conditions,
  defineResource,
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

const limit = (doc: string) => int32().min(1).optional().describe(`${doc}, at least 1; when absent, no limit.`);
const amount = (doc: string) => quantity().optional().describe(`${doc}; when absent, no limit.`);
const addonVersion = (addon: string) =>
  z.string().optional().describe(`Version of ${addon}; when empty, the one that this release of Butler brings.`);

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
      "Enforced: every TenantCluster belongs to a Team. Optional: it may. Disabled: there are no Teams, and all " +
        "clusters live in the default namespace.",
    ),
});

const defaultTeamLimits = z.object({
  maxClusters: limit("Clusters of one team"),
  maxWorkersPerCluster: limit("Worker nodes of one cluster"),
  maxTotalCPU: amount("CPU cores over all clusters of one team"),
  maxTotalMemory: amount("Memory over all clusters of one team"),
  maxTotalStorage: amount("Disk space over all clusters of one team"),
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
  type: z.enum(["github", "gitlab", "bitbucket"]).describe("Product of the Git host."),
  url: z
    .string()
    .default("https://api.github.com")
    .describe(
      "Address of the host's API. GitHub Enterprise has it at `https://HOST/api/v3`; for GitLab it is the address of " +
        "the site. The default fits github.com only, so set it for every other host.",
    ),
  organization: z
    .string()
    .optional()
    .describe("Organization or group whose repositories are listed; when empty, all that the account can see."),
  secretRef: localRef("Secret").describe(
    "Secret with the credentials: the key `token` for github and gitlab, `username` and `app-password` for bitbucket.",
  ),
});

const imageFactory = z.object({
  url: httpUrl("https://factory.talos.dev").describe("Address of the Image Factory."),
  credentialsRef: secretRef()
    .optional()
    .describe("Secret with the factory's API key, under the key `apiKey`; when absent, no key is sent."),
  defaultSchematicID: z
    .string()
    .optional()
    .describe(
      "Schematic of clusters that name none: a SHA-256 in hexadecimal; when empty, no image is brought for them.",
    ),
  autoSync: z
    .boolean()
    .default(true)
    .describe("Whether an image that a provider lacks is brought there when a cluster needs it."),
});

const audit = z.object({
  enabled: z.boolean().default(true).describe("Whether what people do is recorded."),
  webhookURL: webhookUrl("https://siem.example.com/events").describe(
    "Address that every event is posted to as JSON; when empty, events go nowhere else.",
  ),
  bufferSize: int32()
    .min(100)
    .max(100000)
    .default(10000)
    .describe("Events kept in memory for queries, 100 to 100000; the oldest make room for new ones."),
});

const status = z.object({
  conditions: conditions("Ready", "Progressing", "Degraded"),
  observedGeneration: observedGeneration(),
  teamCount: int32().optional().describe("Teams that there are."),
  clusterCount: int32().optional().describe("TenantClusters that there are."),
  gitProvider: z
    .object({
      connected: z.boolean().optional().describe("Whether the Git host accepted the credentials."),
      username: z.string().optional().describe("Account that the credentials belong to."),
      lastValidated: time().optional().describe("When the credentials were last tried."),
      message: z.string().optional().describe("What the Git host answered, for people."),
    })
    .optional()
    .describe("What the last try of the Git credentials showed."),
  controlPlaneExposureMode: z.enum(exposureModes).optional().describe("Exposure mode that is in force."),
  tcpProxyRequired: z
    .boolean()
    .optional()
    .describe(
      "Whether pods in tenant clusters reach their API server through a TCP proxy: true for Ingress and Gateway.",
    ),
  observability: z
    .object({
      pipelineReady: z.boolean().optional().describe("Whether the cluster that runs the pipeline is well."),
      enrolledCount: int32().optional().describe("Clusters that have agents."),
      totalCount: int32().optional().describe("Clusters that there are."),
    })
    .optional()
    .describe("How much of the platform is observed."),
});

/** The settings of the platform. */
export const ButlerConfig = defineResource({
  ...butlerGroup,
  kind: "ButlerConfig",
  scope: "Cluster",
  shortNames: ["bc"],
  doc: "ButlerConfig holds the settings of the platform. There is one, and its name is butler.",
  rules: [
    {
      rule: "self.metadata.name == 'butler'",
      message: "metadata.name must be butler, because the platform has one ButlerConfig and reads it by that name",
    },
  ],
  spec: z.object({
    multiTenancy: multiTenancy.prefault({}).describe("Whether clusters belong to teams."),
    defaultNamespace: z
      .string()
      .default("butler-tenants")
      .describe("Namespace of clusters without a Team, in the tenancy modes Optional and Disabled."),
    defaultProviderConfigRef: localRef("ProviderConfig")
      .optional()
      .describe("ProviderConfig of clusters for which neither the cluster nor its Team names one; when absent, none."),
    defaultTeamLimits: defaultTeamLimits
      .optional()
      .describe("Limits of Teams without resourceLimits of their own; when absent, such Teams have none."),
    defaultAddonVersions: defaultAddonVersions
      .optional()
      .describe("Versions of the add-ons of clusters that name no version."),
    gitProvider: gitProvider
      .optional()
      .describe("Git host that GitOps exports and Flux work with; when absent, neither is available."),
    controlPlaneExposure: exposure
      .optional()
      .describe("How API servers of tenant clusters are reached; when absent, each by a load balancer of its own."),
    observability: observability.optional().describe("Logs, metrics and traces of tenant clusters."),
    defaultControlPlaneResources: controlPlaneResources
      .optional()
      .describe("Size of hosted control planes; when absent, their pods state no requests and no limits."),
    imageFactory: imageFactory
      .optional()
      .describe(
        "Image Factory that operating system images come from; when absent, images are not brought to providers.",
      ),
    sshAuthorizedKey: z
      .string()
      .optional()
      .describe("SSH public key for workers that do not run Talos, unless their cluster names one; when empty, none."),
    defaultTimeServers: z
      .array(z.string())
      .optional()
      .describe("NTP servers of Talos workers, unless their cluster or provider names some; when empty, pool.ntp.org."),
    audit: audit.optional().describe("Record of what people do; when absent, it is kept with the defaults."),
    notifications: z
      .object({
        webhookURL: webhookUrl("https://hooks.example.com/butler").describe(
          "Address that every notification is posted to as JSON, such as a chat or paging service; when empty, none.",
        ),
      })
      .optional()
      .describe("Where notifications go; when absent, only to the console."),
  }),
  status,
  columns: [
    { name: "Mode", type: "string", jsonPath: ".spec.multiTenancy.mode" },
    { name: "Git", type: "string", jsonPath: ".spec.gitProvider.type" },
    { name: "Teams", type: "integer", jsonPath: ".status.teamCount" },
    { name: "Clusters", type: "integer", jsonPath: ".status.clusterCount" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "ButlerConfig",
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
