import {
  type CelRule,
  conditions,
  defineResource,
  int32,
  int64,
  localRef,
  observedGeneration,
  type ObjectOf,
  secretRef,
  time,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";
import {
  awsBlock,
  azureBlock,
  gcpBlock,
  harvesterBlock,
  localBlock,
  nutanixBlock,
  proxmoxBlock,
} from "./provider-blocks.ts";
import { providerNetwork } from "./provider-network.ts";
import { overridableSettings } from "./tenant-cluster-overrides.ts";
import { type ProviderType, providerTypes } from "./provider-type.ts";

const needsBlock = (provider: ProviderType): CelRule => ({
  rule: `self.provider != '${provider}' || has(self.${provider})`,
  message: `provider ${provider} requires spec.${provider}`,
  reason: "FieldValueRequired",
  fieldPath: `.${provider}`,
});

const scope = withRules(
  z.object({
    type: z
      .enum(["platform", "team"])
      .default("platform")
      .describe(
        "`platform` allows all teams to use the provider, `team` only the team in teamRef. Defaults to `platform`.",
      ),
    teamRef: localRef("Team").optional().describe("Team that can use the provider. Required if type is team."),
  }),
  {
    rule: "self.type != 'team' || has(self.teamRef)",
    message: "teamRef is required when type is team",
    reason: "FieldValueRequired",
    fieldPath: ".teamRef",
  },
);

/** Access to infrastructure: credentials, placement and addresses of machines. */
export const ProviderConfig = defineResource({
  ...butlerGroup,
  kind: "ProviderConfig",
  scope: "Namespaced",
  shortNames: ["pc"],
  doc:
    "ProviderConfig gives Butler access to the infrastructure that runs cluster machines: credentials, " +
    "placement, addresses and limits. The block named after the provider is required; other blocks are " +
    "ignored.",
  spec: withRules(
    z.object({
      provider: z
        .enum(providerTypes)
        .describe(
          "Infrastructure provider. `local` runs machines as pods in the management cluster; it requires the namespace " +
            "butler-system and scope type platform.",
        ),
      credentialsRef: secretRef()
        .optional()
        .describe(
          "Secret with the credentials. Required keys: kubeconfig for harvester; username and password for nutanix; " +
            "username and password, or token, for proxmox; clientID, clientSecret and tenantID for azure; accessKeyID " +
            "and secretAccessKey for aws; serviceAccountKey for gcp. Required for all providers except local.",
        ),
      harvester: harvesterBlock.optional().describe("Settings for Harvester. Required if provider is harvester."),
      nutanix: nutanixBlock.optional().describe("Settings for Nutanix. Required if provider is nutanix."),
      proxmox: proxmoxBlock.optional().describe("Settings for Proxmox VE. Required if provider is proxmox."),
      azure: azureBlock.optional().describe("Settings for Microsoft Azure. Required if provider is azure."),
      aws: awsBlock.optional().describe("Settings for AWS. Required if provider is aws."),
      gcp: gcpBlock.optional().describe("Settings for Google Cloud. Required if provider is gcp."),
      local: localBlock.optional().describe("Settings for machines that run as pods. Optional for provider local."),
      scope: scope.optional().describe("Teams that can use the provider. Defaults to all teams."),
      network: providerNetwork.optional().describe("Address settings. If unset, the provider assigns addresses."),
      allowedOverrides: z
        .array(z.enum(overridableSettings))
        .max(overridableSettings.length)
        .optional()
        .describe(
          "Settings that teams can override in spec.infrastructureOverride of their clusters. The image can also be " +
            "overridden in machine templates. Platform administrators can override any setting. Teams can always " +
            "override the settings of ProviderConfigs in their own namespace, settings covered by a " +
            "ClusterCreationPolicy, and an image that is not set here. If unset, teams cannot override any other " +
            "settings.",
        ),
      limits: z
        .object({
          maxClustersPerTeam: int32()
            .min(1)
            .optional()
            .describe("Maximum number of clusters per team. If unset, no limit applies."),
          maxNodesPerTeam: int32()
            .min(1)
            .optional()
            .describe("Maximum number of worker nodes per team. If unset, no limit applies."),
        })
        .optional()
        .describe("Limits per team on this provider. If unset, no limits apply."),
    }),
    {
      rule: "self.provider == 'local' || has(self.credentialsRef)",
      message: "all providers except local require a credentials Secret",
      reason: "FieldValueRequired",
      fieldPath: ".credentialsRef",
    },
    ...(["harvester", "nutanix", "proxmox", "azure", "aws", "gcp"] as const).map(needsBlock),
    {
      rule: "!has(self.network) || self.network.mode != 'ipam' || !(self.provider in ['azure', 'aws', 'gcp'])",
      message: "must be cloud for azure, aws and gcp, because these providers assign addresses themselves",
      fieldPath: ".network.mode",
    },
  ),
  status: z.object({
    conditions: conditions("CredentialsValid", "PoolAvailable", "Ready"),
    observedGeneration: observedGeneration(),
    validated: z.boolean().optional().describe("Whether the configuration is valid."),
    lastValidationTime: time().optional().describe("Time of the last successful validation."),
    providerVersion: z.string().optional().describe("Version reported by the provider."),
    ready: z.boolean().optional().describe("Whether clusters can be created with this ProviderConfig."),
    lastProbeTime: time().optional().describe("Time of the last provider health check."),
    capacity: z
      .object({
        availableIPs: int64().optional().describe("Number of available addresses across all pools."),
        estimatedTenants: int64()
          .optional()
          .describe("Estimated number of additional tenant clusters that fit in the available addresses."),
      })
      .optional()
      .describe("Remaining capacity."),
  }),
  columns: {
    Provider: ".spec.provider",
    Scope: ".spec.scope.type",
    Ready: { type: "boolean", jsonPath: ".status.ready" },
    Validated: { type: "boolean", jsonPath: ".status.validated" },
  },
  example: {
    metadata: { name: "harvester", namespace: "butler-system" },
    spec: {
      provider: "harvester",
      credentialsRef: { name: "harvester-kubeconfig" },
      harvester: { networkName: "default/vlan40", imageName: "default/rocky-9.5" },
      network: {
        mode: "ipam",
        poolRefs: [{ name: "datacenter" }],
        gateway: "10.40.0.1",
        dnsServers: ["10.40.0.2"],
        loadBalancer: { allocationMode: "elastic" },
        quotaPerTenant: { maxLoadBalancerIPs: 16 },
      },
      limits: { maxClustersPerTeam: 10 },
    },
  },
});
export type ProviderConfig = ObjectOf<typeof ProviderConfig>;
