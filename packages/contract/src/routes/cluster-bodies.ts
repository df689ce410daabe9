import { TenantCluster } from "@butler/api";
import { z } from "zod";
import { environmentName, kubernetesVersion, labelName } from "../names.ts";

const text = (doc: string) => z.string().max(253).optional().describe(doc);
const shape = TenantCluster.spec.shape;

/** Request body for a new cluster: the fields of the public Butler, a whole spec, or both. */
export const newCluster = z
  .strictObject({
    name: labelName("cluster", 54),
    namespace: labelName("namespace").optional().describe("Namespace of the cluster. Defaults to the team namespace."),
    teamRef: labelName("team").optional().describe("Team that owns the cluster. Defaults to the X-Butler-Team header."),
    environment: environmentName().optional().describe("Environment within the team."),
    kubernetesVersion: kubernetesVersion().optional().describe("Kubernetes version. Defaults to the team default."),
    providerConfigRef: z
      .union([
        z.string().min(1).max(317),
        z.strictObject({ name: z.string().min(1), namespace: z.string().optional() }),
      ])
      .optional()
      .describe("ProviderConfig as `name` or `namespace/name`. Defaults to the team or platform default."),
    workerReplicas: z.int().min(1).max(100).optional().describe("Number of workers. Defaults to the team default."),
    workerCPU: z.int().min(1).optional().describe("CPU cores per worker."),
    workerMemory: text("Memory per worker, such as 16Gi."),
    workerDiskSize: text("Disk size per worker, such as 100Gi."),
    osType: z.enum(["rocky", "flatcar", "talos", "kairos", "bottlerocket"]).optional().describe("Operating system."),
    loadBalancerStart: text("First load balancer address. Requires loadBalancerEnd."),
    loadBalancerEnd: text("Last load balancer address."),
    workspacesEnabled: z.boolean().optional().describe("Whether users can create workspaces in the cluster."),
    timeServers: z.array(z.string()).max(16).optional().describe("NTP servers for Talos machines."),
    labels: z.record(z.string().max(317), z.string().max(63)).optional().describe("Additional labels for the cluster."),
    spec: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Other fields of TenantCluster.spec. Fields set directly in the request take precedence."),
  })
  .meta({
    id: "NewCluster",
    examples: [
      { name: "shop", teamRef: "payments", environment: "dev", kubernetesVersion: "v1.34.1", workerReplicas: 3 },
    ],
  });
export type NewCluster = z.output<typeof newCluster>;

/** A change to a cluster. Absent fields stay unchanged. */
export const clusterChange = z
  .strictObject({
    resourceVersion: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Resource version that the update is based on. If the object has changed since then, the request fails with CONFLICT.",
      ),
    kubernetesVersion: kubernetesVersion().optional(),
    controlPlane: z
      .strictObject({
        replicas: z.int().min(1).max(3).optional().describe("Number of control plane replicas."),
        resources: shape.controlPlane.unwrap().shape.resources,
      })
      .optional()
      .describe("Hosted control plane."),
    workers: z
      .strictObject({
        replicas: z.int().min(1).max(100).optional().describe("Number of workers."),
        machineTemplate: z
          .record(z.string(), z.unknown())
          .optional()
          .describe("Machine template for the workers, merged over the current one."),
      })
      .optional()
      .describe("Workers in the main pool."),
    paused: z.boolean().optional().describe("Whether reconciliation of the cluster is paused."),
    acknowledgeDowngrade: z
      .boolean()
      .optional()
      .describe(
        "Required to scale the control plane down to one replica, which makes it unavailable during node outages.",
      ),
    spec: z.record(z.string(), z.unknown()).optional().describe("Other changes to the spec, as a JSON merge patch."),
  })
  .meta({ id: "ClusterChange", examples: [{ resourceVersion: "4711", workers: { replicas: 5 } }] });
export type ClusterChange = z.output<typeof clusterChange>;
