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
import { type ProviderType, providerTypes } from "./provider-type.ts";

const needsBlock = (provider: ProviderType): CelRule => ({
  rule: `self.provider != '${provider}' || has(self.${provider})`,
  message: `provider ${provider} needs the block spec.${provider}`,
  reason: "FieldValueRequired",
  fieldPath: `.${provider}`,
});

const scope = withRules(
  z.object({
    type: z
      .enum(["platform", "team"])
      .default("platform")
      .describe("`platform` lets every team use the provider; `team` only the one in teamRef. `platform` when absent."),
    teamRef: localRef("Team").optional().describe("Team that may use the provider. Needed for type team."),
  }),
  {
    rule: "self.type != 'team' || has(self.teamRef)",
    message: "type team needs the name of the Team",
    reason: "FieldValueRequired",
    fieldPath: ".teamRef",
  },
);

/** Access to infrastructure: credentials, where machines go, and which addresses they get. */
export const ProviderConfig = defineResource({
  ...butlerGroup,
  kind: "ProviderConfig",
  scope: "Namespaced",
  shortNames: ["pc"],
  doc:
    "ProviderConfig gives Butler access to the infrastructure that machines of clusters run on: credentials, " +
    "placement, addresses and limits. The block named like the provider is needed; others may be present and are not " +
    "read.",
  spec: withRules(
    z.object({
      provider: z
        .enum(providerTypes)
        .describe("Kind of infrastructure. `local` runs machines as pods of the management cluster."),
      credentialsRef: secretRef()
        .optional()
        .describe(
          "Secret with the credentials. Keys by provider: harvester kubeconfig; nutanix username and password; " +
            "proxmox username and password, or token; azure clientID, clientSecret and tenantID; aws accessKeyID and " +
            "secretAccessKey; gcp serviceAccountKey. Needed for every provider but local.",
        ),
      harvester: harvesterBlock.optional().describe("Settings for Harvester. Needed for provider harvester."),
      nutanix: nutanixBlock.optional().describe("Settings for Nutanix. Needed for provider nutanix."),
      proxmox: proxmoxBlock.optional().describe("Settings for Proxmox VE. Needed for provider proxmox."),
      azure: azureBlock.optional().describe("Settings for Microsoft Azure. Needed for provider azure."),
      aws: awsBlock.optional().describe("Settings for AWS. Needed for provider aws."),
      gcp: gcpBlock.optional().describe("Settings for Google Cloud. Needed for provider gcp."),
      local: localBlock.optional().describe("Settings for machines as pods. Provider local works without it."),
      scope: scope.optional().describe("Who may use the provider; when absent every team."),
      network: providerNetwork.optional().describe("Addresses; when absent they are left to the provider."),
      limits: z
        .object({
          maxClustersPerTeam: int32().min(1).optional().describe("Clusters of one team; unset means no limit."),
          maxNodesPerTeam: int32().min(1).optional().describe("Worker nodes of one team; unset means no limit."),
        })
        .optional()
        .describe("Limits for each team on this provider; when absent there are none."),
    }),
    {
      rule: "self.provider == 'local' || has(self.credentialsRef)",
      message: "every provider but local needs the name of the Secret with its credentials",
      reason: "FieldValueRequired",
      fieldPath: ".credentialsRef",
    },
    ...(["harvester", "nutanix", "proxmox", "azure", "aws", "gcp"] as const).map(needsBlock),
    {
      rule: "!has(self.network) || self.network.mode != 'ipam' || !(self.provider in ['azure', 'aws', 'gcp'])",
      message: "must be cloud for the providers azure, aws and gcp, which manage addresses themselves",
      fieldPath: ".network.mode",
    },
  ),
  status: z.object({
    conditions: conditions("CredentialsValid", "PoolAvailable", "Ready"),
    observedGeneration: observedGeneration(),
    validated: z.boolean().optional().describe("Whether the configuration was checked and found right."),
    lastValidationTime: time().optional().describe("When the configuration was last found right."),
    providerVersion: z.string().optional().describe("Version that the provider reports."),
    ready: z.boolean().optional().describe("Whether clusters can be made with it now."),
    lastProbeTime: time().optional().describe("When the provider was last asked whether it is well."),
    capacity: z
      .object({
        availableIPs: int64().optional().describe("Addresses left over all pools."),
        estimatedTenants: int64().optional().describe("Tenant clusters that those addresses are enough for."),
      })
      .optional()
      .describe("Room that is left."),
  }),
  columns: [
    { name: "Provider", type: "string", jsonPath: ".spec.provider" },
    { name: "Scope", type: "string", jsonPath: ".spec.scope.type" },
    { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
    { name: "Validated", type: "boolean", jsonPath: ".status.validated" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "ProviderConfig",
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
