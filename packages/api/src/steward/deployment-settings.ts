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
  z.array(z.string()).optional().describe(`Further command-line flags of ${of}, each as --name=value.`);
const sizing = (of: string) => resourceRequirements.optional().describe(`CPU and memory of ${of}.`);
const mounts = (of: string) => openList(`Mounts, as core/v1 VolumeMount, that are added to ${of}.`);

const registrySettings = z.object({
  registry: z.string().default("registry.k8s.io").describe("Registry of the control-plane images."),
  apiServerImage: z.string().default("kube-apiserver").describe("Name of the API server image."),
  controllerManagerImage: z
    .string()
    .default("kube-controller-manager")
    .describe("Name of the controller-manager image."),
  schedulerImage: z.string().default("kube-scheduler").describe("Name of the scheduler image."),
  tagSuffix: text("Text that is put after the version in every image tag."),
});

const probe = (doc: string) =>
  z
    .object({
      initialDelaySeconds: int32().min(0).optional().describe("Seconds from the container's start to the first probe."),
      periodSeconds: int32().min(1).optional().describe("Seconds from one probe to the next."),
      timeoutSeconds: int32().min(1).optional().describe("Seconds after which a probe without an answer has failed."),
      failureThreshold: int32().min(1).optional().describe("Failures in a row after which the kubelet acts."),
    })
    .optional()
    .describe(doc);

const probes = z.object({
  startup: probe("Probe that must succeed once before the others begin."),
  liveness: probe("Probe that restarts the container when it fails."),
  readiness: probe("Probe that takes the pod out of the Service when it fails."),
});

/** Where and how pods of a control plane run: the fields that TenantControlPlane and StewardControlPlane share. */
export const podPlacement = {
  nodeSelector: stringMap().optional().describe("Labels that a node must have to run the pods."),
  tolerations: z.array(toleration).optional().describe("Taints that the pods put up with."),
  affinity: openObject().optional().describe("Attraction to nodes and pods, as core/v1 Affinity."),
  topologySpreadConstraints: z
    .array(topologySpreadConstraint)
    .optional()
    .describe("How the pods are spread over nodes or zones."),
  runtimeClassName: text("RuntimeClass of the pods."),
  additionalMetadata: additionalMetadata
    .optional()
    .describe("Labels and annotations that are added to the Deployment."),
  podAdditionalMetadata: additionalMetadata.optional().describe("Labels and annotations that are added to the pods."),
};

/** The pods of a hosted control plane. */
export const deploymentSettings = z.object({
  registrySettings: registrySettings.prefault({}).describe("Where the control-plane images come from."),
  replicas: int32().min(0).default(2).describe("Number of pods; 0 puts the control plane to sleep and keeps its data."),
  ...podPlacement,
  priorityClassName: text("PriorityClass of the pods."),
  strategy: deploymentStrategy
    .default({ type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: "100%" } })
    .describe("How pods are replaced; the default starts all new ones before it stops an old one."),
  probes: probes
    .optional()
    .describe("Timing of the components' probes, for hosts on which the usual one is too tight."),
  resources: z
    .object({
      apiServer: sizing("kube-apiserver"),
      controllerManager: sizing("kube-controller-manager"),
      scheduler: sizing("kube-scheduler"),
      kine: sizing("kine, which serves stores other than etcd"),
    })
    .optional()
    .describe("CPU and memory of each component."),
  extraArgs: z
    .object({
      apiServer: flags("kube-apiserver"),
      controllerManager: flags("kube-controller-manager"),
      scheduler: flags("kube-scheduler"),
      kine: flags("kine, which serves stores other than etcd"),
    })
    .optional()
    .describe("Further command-line flags of each component."),
  additionalInitContainers: openList("Containers, as core/v1 Container, that run before the components."),
  additionalContainers: openList("Containers, as core/v1 Container, that run beside the components."),
  additionalVolumes: openList("Volumes, as core/v1 Volume, for additional mounts."),
  additionalVolumeMounts: z
    .object({
      apiServer: mounts("kube-apiserver"),
      controllerManager: mounts("kube-controller-manager"),
      scheduler: mounts("kube-scheduler"),
    })
    .optional()
    .describe("Further mounts of each component."),
  serviceAccountName: z.string().default("default").describe("ServiceAccount of the pods."),
});
