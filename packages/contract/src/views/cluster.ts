import { TenantCluster } from "@butler/api";
import { z } from "zod";
import { moment } from "../names.ts";
import { objectView } from "./object.ts";

/** A cluster as Kubernetes has it. */
export const clusterView = objectView(TenantCluster);

/** A limit and the amount of it that a new cluster would use. */
const limitRow = z.object({
  rule: z.string().describe("Name of the limit, such as team.maxClusters."),
  limit: z.string().describe("Maximum."),
  used: z.string().describe("Amount in use."),
  asked: z.string().describe("Additional amount requested."),
  message: z.string().describe("Human-readable message."),
});

/** Result of a dry run of cluster creation. */
export const clusterPlan = z
  .object({
    isAccepted: z.boolean().describe("Whether the cluster could be created as requested."),
    cluster: clusterView.optional().describe("The cluster as it would be stored, with all defaults applied."),
    refusals: z
      .array(
        z.object({
          field: z.string().describe("Path of the field. Empty if the whole object is invalid."),
          reason: z.string().describe("Machine-readable reason."),
          message: z.string().describe("Human-readable reason."),
        }),
      )
      .describe("All reasons why the cluster would be rejected."),
    usage: z
      .object({
        nodes: z.int().describe("Number of workers."),
        cpu: z.string().describe("CPU cores."),
        memory: z.string().describe("Memory."),
        storage: z.string().describe("Disk space."),
      })
      .optional()
      .describe("Resources that the cluster would use."),
    exceeded: z.array(limitRow).describe("Limits that the cluster would exceed."),
  })
  .meta({
    id: "ClusterPlan",
    examples: [
      {
        isAccepted: true,
        refusals: [],
        usage: { nodes: 3, cpu: "12", memory: "48Gi", storage: "300Gi" },
        exceeded: [],
      },
    ],
  });

/** Diagnosis of a cluster. */
export const clusterWhy = z
  .object({
    state: z
      .enum(["well", "busy", "stuck"])
      .describe(
        "State of the cluster: `well` (healthy), `busy` (in progress, no action required) or `stuck` (action required).",
      ),
    cause: z.string().describe("Machine-readable cause."),
    sentence: z.string().describe("Human-readable cause."),
    nextStep: z.string().describe("Next step. Empty if no action is required."),
    chain: z.array(z.string()).readonly().describe("Objects from the cluster down to the cause."),
    unreadable: z
      .array(
        z.object({
          what: z.string().describe("Resource that could not be read."),
          why: z.string().describe("Reason, as a sentence fragment."),
        }),
      )
      .describe(
        "Resources that could not be read, usually because of missing permissions. The cause may be among them.",
      ),
  })
  .meta({
    id: "ClusterWhy",
    examples: [
      {
        state: "busy",
        cause: "WaitingForControlPlane",
        sentence: "shop is waiting for its control plane.",
        nextStep: "",
        chain: ["TenantCluster payments/shop: Provisioning"],
        unreadable: [],
      },
    ],
  });

/** The kubeconfig of a cluster. */
export const clusterKubeconfig = z
  .object({
    kubeconfig: z.string().describe("Kubeconfig content. Keep it secret: it grants admin access to the cluster."),
  })
  .meta({ id: "ClusterKubeconfig", examples: [{ kubeconfig: "apiVersion: v1\nkind: Config\n" }] });

/** A node of a cluster. */
export const nodeView = z
  .object({
    name: z.string().describe("Name of the node."),
    status: z.enum(["Ready", "NotReady", "Unknown"]).describe("Status of the Ready condition."),
    roles: z.array(z.string()).describe("Node roles."),
    version: z.string().describe("Kubelet version."),
    internalIP: z.string().describe("Internal IP address. Empty if none."),
    os: z.string().describe("Operating system."),
    containerRuntime: z.string().describe("Container runtime and its version."),
    cpu: z.string().describe("CPU cores."),
    memory: z.string().describe("Memory."),
    age: z.string().describe("Creation time (RFC 3339)."),
  })
  .meta({
    id: "Node",
    examples: [
      {
        name: "shop-workers-x7k2p",
        status: "Ready",
        roles: [],
        version: "v1.34.1",
        internalIP: "10.40.1.17",
        os: "Rocky Linux 9.5",
        containerRuntime: "containerd://2.1.4",
        cpu: "4",
        memory: "16Gi",
        age: "2026-06-01T12:00:00Z",
      },
    ],
  });

/** An event. */
export const eventView = z
  .object({
    type: z.string().describe("Event type: Normal or Warning."),
    reason: z.string().describe("Machine-readable reason."),
    message: z.string().describe("Human-readable description of the event."),
    source: z.string().describe("Component that reported the event."),
    object: z.string().describe("Object that the event is about, as kind and name."),
    firstTimestamp: moment("Time of the first occurrence").optional(),
    lastTimestamp: moment("Time of the last occurrence").optional(),
    count: z.int().describe("Number of occurrences."),
  })
  .meta({
    id: "Event",
    examples: [
      {
        type: "Normal",
        reason: "WorkersReady",
        message: "3/3 workers ready",
        source: "butler-controller",
        object: "TenantCluster shop",
        count: 1,
      },
    ],
  });
