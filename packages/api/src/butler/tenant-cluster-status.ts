import { conditions, int32, listMap, localRef, observedGeneration, time } from "@butler/resource";
import { z } from "zod";

const observedState = z.object({
  kubernetesVersion: z.string().optional().describe("Kubernetes version that runs now."),
  workers: z
    .object({
      desired: int32().describe("Worker nodes that should be there."),
      ready: int32().describe("Worker nodes that are ready."),
      nodes: z.array(z.string()).optional().describe("Names of the worker nodes."),
    })
    .optional()
    .describe("Worker nodes."),
  addons: z
    .array(
      z.object({
        name: z.string().describe("Name of the add-on."),
        version: z.string().describe("Version that is installed."),
        status: z.enum(["Pending", "Installing", "Healthy", "Degraded", "Failed"]).describe("How the add-on is."),
        managedBy: z.enum(["butler", "flux", "argocd", "manual"]).describe("Who looks after the add-on."),
      }),
    )
    .optional()
    .describe("Add-ons that were found in the cluster."),
});

const step = z.object({
  name: z.string().describe("Name of the step, such as ControlPlane."),
  startedAt: time().describe("When the step began."),
  finishedAt: time().optional().describe("When it was done; empty while it lasts."),
});

const origin = z.object({
  field: z.string().describe("Path of the field, such as spec.workers.replicas."),
  value: z.string().describe("Value that is in force."),
  from: z
    .enum(["cluster", "environment", "team", "platform"])
    .describe("Who decided it: the cluster itself, its environment, its team, or the platform."),
});

const pool = z.object({
  name: z.string().describe("Name of the pool."),
  desired: int32().describe("Worker nodes that should be there."),
  ready: int32().describe("Worker nodes that are ready."),
  upToDate: int32().describe("Worker nodes that are as the spec says."),
});

/** What is known about a tenant cluster. */
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
    .describe("Where the cluster is in its life; Provisioning makes machines, Installing add-ons."),
  tenantNamespace: z
    .string()
    .optional()
    .describe("Namespace of the management cluster with the objects that make up the cluster."),
  controlPlaneEndpoint: z.string().optional().describe("Where the API server is reached."),
  kubeconfigSecretRef: localRef("Secret").optional().describe("Secret in tenantNamespace with the admin's kubeconfig."),
  observedGeneration: observedGeneration(),
  lastTransitionTime: time().optional().describe("When the phase last changed."),
  observedState: observedState.optional().describe("What runs now, as opposed to what the spec asks for."),
  workerNodesReady: int32().optional().describe("Worker nodes that are ready."),
  workerNodesDesired: int32().optional().describe("Worker nodes that should be there."),
  pools: listMap(pool, "name").optional().describe("Each pool of worker nodes."),
  steps: listMap(step, "name").optional().describe("What making the cluster took, step by step."),
  origins: listMap(origin, "field").optional().describe("Where values come from that the cluster may leave open."),
  ipAllocationRef: localRef("IPAllocation").optional().describe("IPAllocation with the addresses of the nodes."),
  lbAllocationRef: localRef("IPAllocation")
    .optional()
    .describe("IPAllocation with the addresses of the load balancers."),
  imageSyncRef: localRef("ImageSync")
    .optional()
    .describe("ImageSync that brought the machines' image to the provider."),
});
