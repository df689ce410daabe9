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
  ip: ipAddress().optional().describe("Address of the machine."),
  instanceID: z
    .string()
    .optional()
    .describe("Identity of the machine in the cloud; some clouds, AWS among them, register targets by it."),
  instanceName: z
    .string()
    .optional()
    .describe("Name of the machine in the cloud; some clouds, GCP among them, register targets by it."),
});

/** An order for a load balancer in a cloud. */
export const LoadBalancerRequest = defineResource({
  ...butlerGroup,
  kind: "LoadBalancerRequest",
  scope: "Namespaced",
  shortNames: ["lbr"],
  doc: "LoadBalancerRequest orders a TCP load balancer from a cloud, in front of the control plane of a management cluster. Deleting it deletes the load balancer.",
  spec: z.object({
    clusterName: immutable(dnsLabel(), "clusterName").describe(
      "Cluster that is served; the names of the cloud's objects begin with it. Cannot be changed.",
    ),
    providerConfigRef: immutable(providerRef(), "providerConfigRef").describe(
      "ProviderConfig with the credentials of the cloud. Cannot be changed, neither name nor namespace.",
    ),
    port: port().default(6443).describe("Port that the load balancer listens on and the targets answer on."),
    healthCheckPort: port().optional().describe("Port that health checks go to; when absent, the same as port."),
    targets: z
      .array(target)
      .max(256)
      .optional()
      .describe("Machines that connections go to; the list grows as machines appear."),
  }),
  status: z.object({
    phase: z
      .enum(["Pending", "Creating", "Ready", "Failed", "Deleting"])
      .optional()
      .describe("Where the load balancer is in its life."),
    endpoint: z.string().optional().describe("Address or DNS name of the load balancer; set once the phase is Ready."),
    resourceID: z.string().optional().describe("Identity of the load balancer in the cloud, kept for deleting it."),
    failureReason: z.string().optional().describe("Why the load balancer failed, as one CamelCase word for programs."),
    failureMessage: z.string().optional().describe("Why the load balancer failed, for people."),
    registeredTargets: int32().optional().describe("Targets that the load balancer knows."),
    conditions: conditions("Provisioned", "TargetsSynced"),
    lastUpdated: time().optional().describe("When the status was last written."),
    observedGeneration: observedGeneration(),
  }),
  columns: [
    { name: "Cluster", type: "string", jsonPath: ".spec.clusterName" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Endpoint", type: "string", jsonPath: ".status.endpoint" },
    { name: "Targets", type: "integer", jsonPath: ".status.registeredTargets" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "LoadBalancerRequest",
    metadata: { name: "management-cp-lb", namespace: "butler-system" },
    spec: {
      clusterName: "management",
      providerConfigRef: { name: "gcp" },
      targets: [{ ip: "10.128.0.11", instanceName: "management-cp-0" }],
    },
  },
});
export type LoadBalancerRequest = ObjectOf<typeof LoadBalancerRequest>;
