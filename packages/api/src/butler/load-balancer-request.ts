import {
  conditions,
  defineResource,
  dnsLabel,
  immutable,
  int32,
  ipAddress,
  observedGeneration,
  type ObjectOf,
  providerRef,
  time,
} from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";

const port = () => int32().min(1).max(65535);

const target = z.object({
  ip: ipAddress().optional().describe("IP address of the machine."),
  instanceID: z
    .string()
    .optional()
    .describe("Cloud instance ID. Required by cloud providers that register targets by ID, such as AWS."),
  instanceName: z
    .string()
    .optional()
    .describe("Cloud instance name. Required by cloud providers that register targets by name, such as GCP."),
});

/** A request for a load balancer in a cloud. */
export const LoadBalancerRequest = defineResource({
  ...butlerGroup,
  kind: "LoadBalancerRequest",
  scope: "Namespaced",
  shortNames: ["lbr"],
  doc: "LoadBalancerRequest requests a cloud TCP load balancer for the control plane of a management cluster. Deleting it deletes the load balancer.",
  spec: z.object({
    clusterName: immutable(dnsLabel(), "clusterName").describe(
      "Name of the cluster, used as a prefix for the names of cloud resources. Immutable.",
    ),
    providerConfigRef: immutable(providerRef(), "providerConfigRef").describe(
      "ProviderConfig with the cloud credentials. The name and namespace are immutable.",
    ),
    port: port().default(6443).describe("Port of the load balancer and its targets."),
    healthCheckPort: port().optional().describe("Port for health checks. Defaults to the value of port."),
    targets: z
      .array(target)
      .max(256)
      .optional()
      .describe("Machines that receive connections. Machines are added as they become available."),
  }),
  status: z.object({
    phase: z
      .enum(["Pending", "Creating", "Ready", "Failed", "Deleting"])
      .optional()
      .describe("Current phase of the load balancer."),
    endpoint: z.string().optional().describe("Address or DNS name of the load balancer. Set once the phase is Ready."),
    resourceID: z.string().optional().describe("Cloud provider's ID for the load balancer, used to delete it."),
    failureReason: z.string().optional().describe("Machine-readable reason for the failure, in CamelCase."),
    failureMessage: z.string().optional().describe("Human-readable message about the failure."),
    registeredTargets: int32().optional().describe("Number of registered targets."),
    conditions: conditions("Provisioned", "TargetsSynced"),
    lastUpdated: time().optional().describe("Time of the last status update."),
    observedGeneration: observedGeneration(),
  }),
  columns: {
    Cluster: ".spec.clusterName",
    Phase: ".status.phase",
    Endpoint: ".status.endpoint",
    Targets: { type: "integer", jsonPath: ".status.registeredTargets" },
  },
  example: {
    metadata: { name: "management-cp-lb", namespace: "butler-system" },
    spec: {
      clusterName: "management",
      providerConfigRef: { name: "gcp" },
      targets: [{ ip: "10.128.0.11", instanceName: "management-cp-0" }],
    },
  },
});
export type LoadBalancerRequest = ObjectOf<typeof LoadBalancerRequest>;
