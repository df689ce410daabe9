import {
  conditions,
  defineResource,
  int32,
  listMap,
  observedGeneration,
  type ObjectOf,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { controlPlaneContracts, controlPlaneGroup } from "./group.ts";
import { kubernetesVersion } from "./kubernetes-version.ts";
import { controlPlaneFields, controlPlaneRules } from "./steward-control-plane-shape.ts";

const count = (doc: string) => int32().optional().describe(doc);
const text = (doc: string) => z.string().optional().describe(doc);
const flag = (doc: string) => z.boolean().optional().describe(doc);

const status = z.object({
  conditions: conditions(
    "Ready",
    "Available",
    "RollingOut",
    "ScalingUp",
    "ScalingDown",
    "Paused",
    "Deleting",
    "CertificatesAvailable",
    "FoundExternalReferenceClient",
    "TenantControlPlaneCreated",
    "TenantControlPlaneAddressReady",
    "ControlPlaneEndpointPatched",
    "InfrastructureClusterPatched",
    "StewardControlPlaneIsInitialized",
    "StewardControlPlaneIsReady",
    "KubeadmResourcesCreated",
  ),
  observedGeneration: observedGeneration(),
  initialization: z
    .object({ controlPlaneInitialized: flag("Whether the API server has accepted requests. Never reset to false.") })
    .optional()
    .describe("Initialization status (contract v1beta2)."),
  initialized: flag("Whether the API server has accepted requests. Never reset to false (contract v1beta1)."),
  ready: flag("Whether the API server currently accepts requests (contract v1beta1)."),
  replicas: count("Total number of pods."),
  readyReplicas: count("Number of ready pods."),
  availableReplicas: count("Number of available pods, ready for at least minReadySeconds (contract v1beta2)."),
  upToDateReplicas: count("Number of pods with the current template (contract v1beta2)."),
  updatedReplicas: count("Number of pods with the current template (contract v1beta1)."),
  unavailableReplicas: count("Number of unavailable pods (contract v1beta1)."),
  selector: text("Label selector for the pods, for autoscalers."),
  version: text("Lowest Kubernetes version among the running API servers."),
  versions: listMap(
    z.object({
      version: z.string().min(1).max(256).describe("Kubernetes version."),
      replicas: count("Number of pods with this version."),
    }),
    "version",
  )
    .optional()
    .describe("Kubernetes versions of the running API servers, lowest first (contract v1beta2)."),
  externalManagedControlPlane: z
    .boolean()
    .default(true)
    .describe("Always true: the control plane has no Nodes or Machines of its own."),
  failureReason: text("Machine-readable reason for a terminal failure (contract v1beta1)."),
  failureMessage: text("Human-readable message about a terminal failure (contract v1beta1)."),
});

/** The control plane of a Cluster API Cluster, run by Steward. */
export const StewardControlPlane = defineResource({
  ...controlPlaneGroup,
  kind: "StewardControlPlane",
  scope: "Namespaced",
  shortNames: ["stcp"],
  categories: ["cluster-api", "steward"],
  crdLabels: controlPlaneContracts,
  doc: "StewardControlPlane is the control plane of a Cluster API Cluster. Steward runs it as a TenantControlPlane.",
  rules: [
    {
      rule: "has(self.spec.deployment.externalClusterReference) || (self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63)",
      message:
        "metadata.name is used as a Service name: it must consist of at most 63 lowercase letters, digits and '-', start with a letter and end with a letter or digit",
    },
  ],
  spec: withRules(
    z.object({
      version: kubernetesVersion().describe("Kubernetes version of the control plane."),
      replicas: int32().min(0).default(2).describe("Number of pods. Defaults to 2. 0 hibernates the control plane."),
      controlPlaneEndpoint: z
        .object({
          host: z.string().max(512).optional().describe("Address or DNS name of the API server."),
          port: int32().min(0).max(65535).optional().describe("Port of the API server. 0 until the port is known."),
        })
        .optional()
        .describe("Endpoint of the API server. Set by Steward."),
      ...controlPlaneFields,
    }),
    ...controlPlaneRules,
  ),
  status,
  scale: {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
  columns: {
    Version: ".spec.version",
    Initialized: { type: "boolean", jsonPath: ".status.initialized" },
    Ready: { type: "boolean", jsonPath: ".status.ready" },
  },
  example: {
    metadata: { name: "blue", namespace: "default" },
    spec: {
      version: "v1.36.3",
      replicas: 2,
      dataStoreName: "default",
      addons: { coreDNS: {}, kubeProxy: {}, konnectivity: {} },
      apiServer: { resources: { requests: { cpu: "100m", memory: "320Mi" } } },
      network: { serviceType: "LoadBalancer", certSANs: ["blue.k8s.example.com"] },
    },
  },
});
export type StewardControlPlane = ObjectOf<typeof StewardControlPlane>;
