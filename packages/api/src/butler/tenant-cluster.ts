import { defineResource, duration, formattedText, int32, localRef, type ObjectOf, providerRef } from "@butler/resource";
import { z } from "zod";
import { controlPlaneResources } from "./control-plane-resources.ts";
import { butlerGroup } from "./group.ts";
import { quantityText } from "./quantity-text.ts";
import { tenantClusterAddons } from "./tenant-cluster-addons.ts";
import { tenantClusterNetworking } from "./tenant-cluster-networking.ts";
import { infrastructureOverride } from "./tenant-cluster-overrides.ts";
import { tenantClusterStatus } from "./tenant-cluster-status.ts";
import { tenantClusterWorkerPools, tenantClusterWorkers } from "./tenant-cluster-workers.ts";

const controlPlane = z.object({
  replicas: int32()
    .min(1)
    .max(3)
    .default(1)
    .describe("Number of replicas of the hosted control plane, 1 to 3. Defaults to 1."),
  dataStoreRef: localRef("DataStore")
    .optional()
    .describe("Steward DataStore for the cluster state. Defaults to the default DataStore."),
  serviceType: z
    .enum(["LoadBalancer", "NodePort", "ClusterIP"])
    .optional()
    .describe(
      "Type of the API server's Service. Defaults to the type required by ButlerConfig.spec.controlPlaneExposure.",
    ),
  certSANs: z
    .array(z.string())
    .optional()
    .describe("Additional DNS names and IP addresses for the API server's serving certificate."),
  externalCloudProvider: z
    .boolean()
    .default(true)
    .describe("Whether the API server and controller manager run with `--cloud-provider=external`. Defaults to true."),
  resources: controlPlaneResources
    .optional()
    .describe("Resources for the control plane pods. Components that are not listed use the platform setting."),
});

const workspaces = z.object({
  enabled: z.boolean().default(false).describe("Whether workspaces are enabled in the cluster. Defaults to false."),
  defaultImage: z
    .string()
    .default("ghcr.io/butlerdotdev/workspace-base:latest")
    .describe("Default image for workspaces. Defaults to Butler's workspace image."),
  maxWorkspaces: int32()
    .min(0)
    .default(20)
    .describe("Maximum number of workspaces in the cluster. Defaults to 20. 0 means no limit."),
  resourceQuota: z
    .object({
      maxCPU: quantityText()
        .default("16")
        .describe("Maximum number of CPU cores across all workspaces. Defaults to 16."),
      maxMemory: quantityText().default("32Gi").describe("Maximum memory across all workspaces. Defaults to 32Gi."),
      maxStorage: quantityText()
        .default("500Gi")
        .describe("Maximum total volume size across all workspaces. Defaults to 500Gi."),
    })
    .optional()
    .describe("Combined limits for all workspaces in the cluster. If unset, no limits apply."),
  autoDeleteAfter: duration()
    .default("720h")
    .describe(
      "How long to keep a stopped workspace before deleting it and its volume. Defaults to 720h. 0 means forever.",
    ),
});

/** A Kubernetes cluster for a team: a hosted control plane and worker machines. */
export const TenantCluster = defineResource({
  ...butlerGroup,
  kind: "TenantCluster",
  scope: "Namespaced",
  shortNames: ["tc"],
  doc:
    "TenantCluster is a Kubernetes cluster for a team: a control plane hosted in the management cluster, " +
    "worker machines on the provider's infrastructure, and add-ons.",
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 54",
      message:
        "metadata.name is used in namespace and Service names: it must consist of at most 54 lowercase letters, digits " +
        "and '-', start with a letter and contain no dots",
    },
  ],
  spec: z.object({
    kubernetesVersion: formattedText({
      pattern: "^v[0-9]+\\.[0-9]+\\.[0-9]+$",
      message: "must be a version such as v1.30.2",
      maxLength: 64,
    })
      .optional()
      .describe(
        "Kubernetes version, such as v1.30.2. Defaults to the setting in the environment or team, or else to " +
          "the newest version supported by this Butler release. Increasing it upgrades the control plane and then " +
          "the workers.",
      ),
    teamRef: localRef("Team")
      .optional()
      .describe("Team that owns the cluster. Required if the multi-tenancy mode is Enforced."),
    providerConfigRef: providerRef("butler-system")
      .optional()
      .describe(
        "ProviderConfig for the machines. Defaults to the team's ProviderConfig, or else to the platform default.",
      ),
    controlPlane: controlPlane.prefault({}).describe("Hosted control plane."),
    workers: tenantClusterWorkers.prefault({}).describe("Worker machines."),
    workerPools: tenantClusterWorkerPools
      .optional()
      .describe("Additional pools of worker machines, each with its own size, labels and taints."),
    networking: tenantClusterNetworking.prefault({}).describe("Networks and load balancer addresses of the cluster."),
    managementPolicy: z
      .object({
        mode: z
          .enum(["Active", "Observe", "GitOps"])
          .default("Active")
          .describe(
            "`Active` continuously installs and upgrades the add-ons in the spec. `Observe` stops managing them once " +
              "the cluster is ready. `GitOps` sets up Flux, which then manages them. Defaults to `Active`.",
          ),
      })
      .prefault({})
      .describe("How Butler manages the cluster's add-ons."),
    addons: tenantClusterAddons
      .prefault({})
      .describe(
        "Add-ons installed on cluster creation. Removing an entry does not uninstall the add-on. To manage an add-on over its full lifecycle, use a TenantAddon.",
      ),
    paused: z
      .boolean()
      .default(false)
      .describe(
        "Whether reconciliation of the cluster is paused. Changes are applied after reconciliation resumes. Defaults to false.",
      ),
    deletionDeadline: duration()
      .default("30m")
      .describe("How long a deletion can take before it is reported as overdue. Defaults to 30m."),
    timeServers: z
      .array(z.string())
      .optional()
      .describe(
        "NTP servers for Talos machines. Defaults to the setting in the provider or platform, or else to pool.ntp.org.",
      ),
    infrastructureOverride: infrastructureOverride
      .optional()
      .describe("ProviderConfig settings to override for this cluster."),
    workspaces: workspaces
      .optional()
      .describe("Development workspaces in the cluster. If unset, workspaces are disabled."),
  }),
  status: tenantClusterStatus,
  columns: {
    Phase: ".status.phase",
    "K8s Version": ".spec.kubernetesVersion",
    Workers: ".status.observedState.workers.ready",
    Endpoint: ".status.controlPlaneEndpoint",
  },
  example: {
    metadata: {
      name: "shop",
      namespace: "payments",
      labels: { "butler.butlerlabs.dev/environment": "dev" },
    },
    spec: {
      kubernetesVersion: "v1.34.1",
      teamRef: { name: "payments" },
      providerConfigRef: { name: "harvester" },
      controlPlane: { replicas: 2 },
      workers: {
        replicas: 3,
        machineTemplate: { cpu: 4, memory: "16Gi", diskSize: "100Gi", os: { type: "rocky", version: "9.5" } },
      },
      networking: { podCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12", lbPoolSize: 8 },
      addons: { cni: { version: "1.18.2" }, ingress: { provider: "traefik" } },
      workspaces: { enabled: true },
    },
  },
});
export type TenantCluster = ObjectOf<typeof TenantCluster>;
