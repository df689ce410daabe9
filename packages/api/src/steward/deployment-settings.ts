import { int32, openObject, stringMap } from "@butler/resource";
import { z } from "zod";
import {
  additionalMetadata,
  deploymentStrategy,
  resourceRequirements,
  toleration,
  topologySpreadConstraint,
} from "./pod-shapes.ts";

const text = (doc: string) => z.string().optional().describe(doc);
const openList = (doc: string) => z.array(openObject()).optional().describe(doc);
const flags = (of: string) =>
  z.array(z.string()).optional().describe(`Additional command-line flags for ${of}, each as --name=value.`);
const sizing = (of: string) => resourceRequirements.optional().describe(`Resources for ${of}.`);
const mounts = (of: string) => openList(`Additional volume mounts for ${of}, as core/v1 VolumeMount.`);

const registrySettings = z.object({
  registry: z.string().default("registry.k8s.io").describe("Registry for the control plane images."),
  apiServerImage: z.string().default("kube-apiserver").describe("Name of the API server image."),
  controllerManagerImage: z
    .string()
    .default("kube-controller-manager")
    .describe("Name of the controller-manager image."),
  schedulerImage: z.string().default("kube-scheduler").describe("Name of the scheduler image."),
  tagSuffix: text("Suffix appended to the version in every image tag."),
});

const probe = (doc: string) =>
  z
    .object({
      initialDelaySeconds: int32()
        .min(0)
        .optional()
        .describe("Number of seconds after the container has started before probes are initiated."),
      periodSeconds: int32().min(1).optional().describe("How often, in seconds, to perform the probe."),
      timeoutSeconds: int32().min(1).optional().describe("Number of seconds after which the probe times out."),
      failureThreshold: int32()
        .min(1)
        .optional()
        .describe("Number of consecutive failures after which the probe is considered failed."),
    })
    .optional()
    .describe(doc);

const probes = z.object({
  startup: probe("Startup probe. The other probes start after the startup probe succeeds."),
  liveness: probe("Liveness probe. The container is restarted if the probe fails."),
  readiness: probe("Readiness probe. The pod is removed from the Service endpoints if the probe fails."),
});

/** Placement of control plane pods: the fields that TenantControlPlane and StewardControlPlane share. */
export const podPlacement = {
  nodeSelector: stringMap().optional().describe("Labels that a node must have to run the pods."),
  tolerations: z.array(toleration).optional().describe("Tolerations for the pods."),
  affinity: openObject().optional().describe("Scheduling constraints for the pods, as core/v1 Affinity."),
  topologySpreadConstraints: z
    .array(topologySpreadConstraint)
    .optional()
    .describe("How the pods are spread across topology domains, such as nodes or zones."),
  runtimeClassName: text("RuntimeClass for the pods."),
  additionalMetadata: additionalMetadata.optional().describe("Labels and annotations to add to the Deployment."),
  podAdditionalMetadata: additionalMetadata.optional().describe("Labels and annotations to add to the pods."),
};

/** The pods of a hosted control plane. */
export const deploymentSettings = z.object({
  registrySettings: registrySettings.prefault({}).describe("Registry and names of the control plane images."),
  replicas: int32()
    .min(0)
    .default(2)
    .describe("Number of pods. Defaults to 2. 0 hibernates the control plane and keeps its data."),
  ...podPlacement,
  priorityClassName: text("PriorityClass for the pods."),
  strategy: deploymentStrategy
    .default({ type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: "100%" } })
    .describe("Deployment strategy. By default, all new pods are started before an old one is stopped."),
  probes: probes
    .optional()
    .describe("Probe timing for the components, for hosts that are too slow for the default values."),
  resources: z
    .object({
      apiServer: sizing("kube-apiserver"),
      controllerManager: sizing("kube-controller-manager"),
      scheduler: sizing("kube-scheduler"),
      kine: sizing("kine, which is used for stores other than etcd"),
    })
    .optional()
    .describe("Resources for each component."),
  extraArgs: z
    .object({
      apiServer: flags("kube-apiserver"),
      controllerManager: flags("kube-controller-manager"),
      scheduler: flags("kube-scheduler"),
      kine: flags("kine, which is used for stores other than etcd"),
    })
    .optional()
    .describe("Additional command-line flags for each component."),
  additionalInitContainers: openList("Additional init containers, as core/v1 Container."),
  additionalContainers: openList("Additional containers, as core/v1 Container."),
  additionalVolumes: openList("Additional volumes, as core/v1 Volume."),
  additionalVolumeMounts: z
    .object({
      apiServer: mounts("kube-apiserver"),
      controllerManager: mounts("kube-controller-manager"),
      scheduler: mounts("kube-scheduler"),
    })
    .optional()
    .describe("Additional volume mounts for each component."),
  serviceAccountName: z.string().default("default").describe("ServiceAccount for the pods."),
});
