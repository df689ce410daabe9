import { TenantCluster } from "@butler/api";
import { z } from "zod";
import { environmentName, kubernetesVersion, labelName } from "../names.ts";

const text = (doc: string) => z.string().max(253).optional().describe(doc);
const shape = TenantCluster.spec.shape;

/** What a new cluster may be asked for with: the words of the public Butler, or a whole spec, or both. */
export const newCluster = z
  .strictObject({
    name: labelName("cluster", 54),
    namespace: labelName("namespace").optional().describe("Namespace of the cluster; when absent that of the team."),
    teamRef: labelName("team").optional().describe("Team that owns the cluster; when absent that of X-Butler-Team."),
    environment: environmentName().optional().describe("Environment of the team that the cluster belongs to."),
    kubernetesVersion: kubernetesVersion().optional().describe("Kubernetes version; when absent the team's default."),
    providerConfigRef: z
      .union([
        z.string().min(1).max(317),
        z.strictObject({ name: z.string().min(1), namespace: z.string().optional() }),
      ])
      .optional()
      .describe("ProviderConfig as `name` or `namespace/name`; when absent the team's, and else the platform's."),
    workerReplicas: z.int().min(1).max(100).optional().describe("Worker machines; when absent the team's default."),
    workerCPU: z.int().min(1).optional().describe("CPU cores of each worker."),
    workerMemory: text("Memory of each worker, such as 16Gi."),
    workerDiskSize: text("Disk of each worker, such as 100Gi."),
    osType: z.enum(["rocky", "flatcar", "talos", "kairos", "bottlerocket"]).optional().describe("Operating system."),
    loadBalancerStart: text("First load-balancer address; together with loadBalancerEnd."),
    loadBalancerEnd: text("Last load-balancer address."),
    workspacesEnabled: z.boolean().optional().describe("Whether people may have workspaces in the cluster."),
    timeServers: z.array(z.string()).max(16).optional().describe("Time servers of Talos machines."),
    labels: z.record(z.string().max(317), z.string().max(63)).optional().describe("Further labels of the cluster."),
    spec: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Anything else of TenantCluster.spec; the fields above are laid over it."),
  })
  .meta({
    id: "NewCluster",
    examples: [
      { name: "shop", teamRef: "payments", environment: "dev", kubernetesVersion: "v1.34.1", workerReplicas: 3 },
    ],
  });
export type NewCluster = z.output<typeof newCluster>;

/** A change of a cluster. What is absent stays. */
export const clusterChange = z
  .strictObject({
    resourceVersion: z
      .string()
      .min(1)
      .optional()
      .describe("The version that the change is meant for; when it has changed since, the answer is CONFLICT."),
    kubernetesVersion: kubernetesVersion().optional(),
    controlPlane: z
      .strictObject({
        replicas: z.int().min(1).max(3).optional().describe("Replicas of the control plane."),
        resources: shape.controlPlane.unwrap().shape.resources,
      })
      .optional()
      .describe("The hosted control plane."),
    workers: z
      .strictObject({
        replicas: z.int().min(1).max(100).optional().describe("Worker machines."),
        machineTemplate: z.record(z.string(), z.unknown()).optional().describe("What each is like, laid over what is."),
      })
      .optional()
      .describe("The worker machines."),
    paused: z.boolean().optional().describe("Whether the cluster is left as it is."),
    acknowledgeDowngrade: z
      .boolean()
      .optional()
      .describe("Needed when the control plane goes down to one replica: it is then away while its machine is."),
    spec: z.record(z.string(), z.unknown()).optional().describe("Any other change of the spec, as a JSON merge patch."),
  })
  .meta({ id: "ClusterChange", examples: [{ resourceVersion: "4711", workers: { replicas: 5 } }] });
export type ClusterChange = z.output<typeof clusterChange>;
