import { conditions, int32, listMap, localRef, observedGeneration, time } from "@butler/resource";
import { z } from "zod";

const observedState = z.object({
  kubernetesVersion: z.string().optional().describe("Kubernetes version that is currently running."),
  workers: z
    .object({
      desired: int32().describe("Desired number of worker nodes."),
      ready: int32().describe("Number of ready worker nodes."),
      nodes: z.array(z.string()).optional().describe("Names of the worker nodes."),
    })
    .optional()
    .describe("Worker nodes."),
  addons: z
    .array(
      z.object({
        name: z.string().describe("Name of the add-on."),
        version: z.string().describe("Installed version."),
        status: z.enum(["Pending", "Installing", "Healthy", "Degraded", "Failed"]).describe("Status of the add-on."),
        managedBy: z.enum(["butler", "flux", "argocd", "manual"]).describe("Tool that manages the add-on."),
      }),
    )
    .optional()
    .describe("Add-ons found in the cluster."),
});

const step = z.object({
  name: z.string().describe("Name of the step, such as ControlPlane."),
  startedAt: time().describe("Time at which the step started."),
  finishedAt: time().optional().describe("Time at which the step finished. Empty while it is in progress."),
});

const origin = z.object({
  field: z.string().describe("Path of the field, such as spec.workers.replicas."),
  value: z.string().describe("Effective value."),
  from: z
    .enum(["cluster", "environment", "team", "platform"])
    .describe("Source of the value: the cluster itself, its environment, its team, or the platform."),
});

const pool = z.object({
  name: z.string().describe("Name of the pool."),
  desired: int32().describe("Desired number of worker nodes."),
  ready: int32().describe("Number of ready worker nodes."),
  upToDate: int32().describe("Number of worker nodes updated to the current spec."),
});

/** Status of a tenant cluster. */
export const tenantClusterStatus = z.object({
  conditions: conditions(
    "InfrastructureReady",
    "ControlPlaneReady",
    "WorkersReady",
    "AddonsReady",
    "NetworkReady",
    "ProviderAccessGranted",
    "ImageReady",
    "QuotaSatisfied",
    "Paused",
    "AddonsRemoved",
    "WorkersRemoved",
    "ControlPlaneRemoved",
    "AddressesReleased",
    "NamespaceRemoved",
    "DeletionOverdue",
    "Ready",
  ),
  phase: z
    .enum(["Pending", "Provisioning", "Installing", "Ready", "Updating", "Deleting", "Failed"])
    .optional()
    .describe(
      "Current phase of the cluster. Provisioning: machines are being created. Installing: add-ons are being installed.",
    ),
  tenantNamespace: z
    .string()
    .optional()
    .describe("Namespace in the management cluster that contains the cluster's objects."),
  controlPlaneEndpoint: z.string().optional().describe("Endpoint of the API server."),
  kubeconfigSecretRef: localRef("Secret").optional().describe("Secret in tenantNamespace with the admin kubeconfig."),
  observedGeneration: observedGeneration(),
  lastTransitionTime: time().optional().describe("Time of the last phase change."),
  observedState: observedState.optional().describe("Observed state of the cluster."),
  workerNodesReady: int32().optional().describe("Number of ready worker nodes."),
  workerNodesDesired: int32().optional().describe("Desired number of worker nodes."),
  pools: listMap(pool, "name").optional().describe("Status of each pool of worker nodes."),
  steps: listMap(step, "name").optional().describe("Creation steps, with their start and finish times."),
  origins: listMap(origin, "field").optional().describe("Source of each value that the cluster can inherit."),
  ipAllocationRef: localRef("IPAllocation").optional().describe("IPAllocation for the node addresses."),
  lbAllocationRef: localRef("IPAllocation").optional().describe("IPAllocation for the load balancer addresses."),
  imageSyncRef: localRef("ImageSync").optional().describe("ImageSync for the machine image."),
});
