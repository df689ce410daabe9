import { TenantCluster } from "@butler/api";
import { z } from "zod";
import { moment } from "../names.ts";
import { objectView } from "./object.ts";

/** A cluster as Kubernetes has it. */
export const clusterView = objectView(TenantCluster);

/** One limit, and what a new cluster would take of it. */
const limitRow = z.object({
  rule: z.string().describe("The limit, such as team.maxClusters."),
  limit: z.string().describe("How much there may be."),
  used: z.string().describe("How much is in use."),
  asked: z.string().describe("How much more is asked for."),
  message: z.string().describe("The same as a sentence."),
});

/** What making a cluster would come to. */
export const clusterPlan = z
  .object({
    isAccepted: z.boolean().describe("Whether the cluster could be made as it is asked for."),
    cluster: clusterView.optional().describe("The cluster as it would be stored, with everything filled in."),
    refusals: z
      .array(
        z.object({
          field: z.string().describe("Path of the field; empty when the whole is meant."),
          reason: z.string().describe("The reason in a word."),
          message: z.string().describe("The reason as a sentence."),
        }),
      )
      .describe("Every reason for which it would be refused."),
    usage: z
      .object({
        nodes: z.int().describe("Worker machines."),
        cpu: z.string().describe("CPU cores."),
        memory: z.string().describe("Memory."),
        storage: z.string().describe("Disk space."),
      })
      .optional()
      .describe("What the cluster would take up."),
    exceeded: z.array(limitRow).describe("Limits that it would go beyond."),
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

/** Why a cluster is as it is. */
export const clusterWhy = z
  .object({
    state: z
      .enum(["well", "busy", "stuck"])
      .describe("`well`: nothing is wrong. `busy`: it goes on by itself. `stuck`: somebody has to do something."),
    cause: z.string().describe("What was found, as one word for programs."),
    sentence: z.string().describe("What was found, for people."),
    nextStep: z.string().describe("What to do about it; empty when nothing is to be done."),
    chain: z.array(z.string()).readonly().describe("From the cluster down to the thing that fails."),
    unreadable: z
      .array(
        z.object({
          what: z.string().describe("What was not looked at."),
          why: z.string().describe("Why not, as the end of a sentence."),
        }),
      )
      .describe("What could not be looked at, mostly for want of rights: the cause may lie there."),
  })
  .meta({
    id: "ClusterWhy",
    examples: [
      {
        state: "busy",
        cause: "WaitingForControlPlane",
        sentence: "shop waits for its control plane.",
        nextStep: "",
        chain: ["TenantCluster payments/shop: Provisioning"],
        unreadable: [],
      },
    ],
  });

/** The kubeconfig of a cluster. */
export const clusterKubeconfig = z
  .object({
    kubeconfig: z.string().describe("The file's text. It is a secret: whoever has it administers the cluster."),
  })
  .meta({ id: "ClusterKubeconfig", examples: [{ kubeconfig: "apiVersion: v1\nkind: Config\n" }] });

/** A node of a cluster. */
export const nodeView = z
  .object({
    name: z.string().describe("Name of the node."),
    status: z.enum(["Ready", "NotReady", "Unknown"]).describe("Whether it is ready."),
    roles: z.array(z.string()).describe("Its roles."),
    version: z.string().describe("Version of the kubelet."),
    internalIP: z.string().describe("Its address inside; empty when it has none."),
    os: z.string().describe("Operating system."),
    containerRuntime: z.string().describe("Container runtime and its version."),
    cpu: z.string().describe("CPU cores."),
    memory: z.string().describe("Memory."),
    age: z.string().describe("When it was made (RFC 3339)."),
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

/** Something that happened. */
export const eventView = z
  .object({
    type: z.string().describe("Normal or Warning."),
    reason: z.string().describe("The reason in a word."),
    message: z.string().describe("What happened."),
    source: z.string().describe("Who says so."),
    object: z.string().describe("What it is about: kind and name."),
    firstTimestamp: moment("When it happened first").optional(),
    lastTimestamp: moment("When it happened last").optional(),
    count: z.int().describe("How often it happened."),
  })
  .meta({
    id: "Event",
    examples: [
      {
        type: "Normal",
        reason: "WorkersReady",
        message: "3 of 3 workers are ready",
        source: "butler-controller",
        object: "TenantCluster shop",
        count: 1,
      },
    ],
  });
