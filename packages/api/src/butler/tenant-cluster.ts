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
  replicas: int32().min(1).max(3).default(1).describe("Replicas of the hosted control plane, 1 to 3; 1 when absent."),
  dataStoreRef: localRef("DataStore")
    .optional()
    .describe("Steward DataStore that keeps the cluster's state; when absent the default one."),
  serviceType: z
    .enum(["LoadBalancer", "NodePort", "ClusterIP"])
    .optional()
    .describe("Type of the Service of the API server; when absent, what ButlerConfig.spec.controlPlaneExposure says."),
  certSANs: z
    .array(z.string())
    .optional()
    .describe("Further host names and addresses that the API server's certificate is valid for; when empty, none."),
  externalCloudProvider: z
    .boolean()
    .default(true)
    .describe("Whether API server and controller manager run with `--cloud-provider=external`; true when absent."),
  resources: controlPlaneResources
    .optional()
    .describe("Size of the control plane's pods; a component that is absent here has the platform's setting."),
});

const workspaces = z.object({
  enabled: z.boolean().default(false).describe("Whether people may have workspaces in the cluster; false when absent."),
  defaultImage: z
    .string()
    .default("ghcr.io/butlerdotdev/workspace-base:latest")
    .describe("Image of workspaces that name none; Butler's own image when absent."),
  maxWorkspaces: int32()
    .min(0)
    .default(20)
    .describe("Workspaces in the cluster; 20 when absent, and 0 means no limit."),
  resourceQuota: z
    .object({
      maxCPU: quantityText().default("16").describe("CPU cores of all workspaces together; 16 when absent."),
      maxMemory: quantityText().default("32Gi").describe("Memory of all workspaces together; 32Gi when absent."),
      maxStorage: quantityText()
        .default("500Gi")
        .describe("Size of the volumes of all workspaces together; 500Gi when absent."),
    })
    .optional()
    .describe("Limits on all workspaces of the cluster together; when absent there are none."),
  autoDeleteAfter: duration()
    .default("720h")
    .describe(
      "How long a stopped workspace is kept before it is deleted with its volume; 720h when absent, and 0 means for " +
        "ever.",
    ),
});

/** A Kubernetes cluster for a team: a hosted control plane and worker machines. */
export const TenantCluster = defineResource({
  ...butlerGroup,
  kind: "TenantCluster",
  scope: "Namespaced",
  shortNames: ["tc"],
  doc:
    "TenantCluster is a Kubernetes cluster for a team: a control plane hosted in the management cluster, worker " +
    "machines on the provider's infrastructure, and add-ons.",
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 54",
      message:
        "metadata.name becomes part of the names of a namespace and a Service: at most 54 lower-case letters, digits and " +
        "'-', beginning with a letter, without dots",
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
        "Kubernetes version, such as v1.30.2; when absent the environment's, the team's, and else the newest that this " +
          "release of Butler knows. Raising it upgrades the control plane and then the workers.",
      ),
    teamRef: localRef("Team").optional().describe("Team that owns the cluster. Needed when tenancy is Enforced."),
    providerConfigRef: providerRef("butler-system")
      .optional()
      .describe("ProviderConfig of the machines; when absent the team's, and else the platform's."),
    controlPlane: controlPlane.prefault({}).describe("The hosted control plane."),
    workers: tenantClusterWorkers.prefault({}).describe("The worker machines."),
    workerPools: tenantClusterWorkerPools
      .optional()
      .describe("Further pools of worker machines, each with a size, labels and taints of its own; when absent, none."),
    networking: tenantClusterNetworking.prefault({}).describe("Networks inside the cluster and its addresses."),
    managementPolicy: z
      .object({
        mode: z
          .enum(["Active", "Observe", "GitOps"])
          .default("Active")
          .describe(
            "`Active` installs and upgrades the add-ons of the spec at any time; `Observe` leaves them alone once " +
              "the cluster is ready; `GitOps` sets up Flux and leaves them to it. `Active` when absent.",
          ),
      })
      .prefault({})
      .describe("How far Butler looks after the add-ons of the cluster."),
    addons: tenantClusterAddons
      .prefault({})
      .describe(
        "Add-ons that the cluster is made with. Removing one here uninstalls nothing; use TenantAddon for that.",
      ),
    paused: z
      .boolean()
      .default(false)
      .describe("Whether the cluster is left as it is: changes wait until this is false. false when absent."),
    deletionDeadline: duration()
      .default("30m")
      .describe("How long a deletion may take before it is reported as overdue; 30m when absent."),
    timeServers: z
      .array(z.string())
      .optional()
      .describe("Time servers of Talos machines; when empty the provider's, then the platform's, then pool.ntp.org."),
    infrastructureOverride: infrastructureOverride
      .optional()
      .describe(
        "Settings of the provider that this cluster has differently from the ProviderConfig; when absent, none.",
      ),
    workspaces: workspaces.optional().describe("Development workspaces in the cluster; when absent there are none."),
  }),
  status: tenantClusterStatus,
  columns: [
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "K8s Version", type: "string", jsonPath: ".spec.kubernetesVersion" },
    { name: "Workers", type: "string", jsonPath: ".status.observedState.workers.ready" },
    { name: "Endpoint", type: "string", jsonPath: ".status.controlPlaneEndpoint" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "TenantCluster",
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
