import { type CelRule, cidr, ipAddress, keptOnceSet, openObject, stringMap, withRules } from "@butler/resource";
import { z } from "zod";
import { clusterAddons } from "./addons.ts";
import { admissionControllers } from "./admission-plugins.ts";
import { dataStoreSchema, dataStoreUsername } from "./data-store-identity.ts";
import { deploymentSettings, podPlacement } from "./deployment-settings.ts";
import { gatewayHostname, gatewayParentRefs, ingressControllerType, ingressHostname, serviceType } from "./exposure.ts";
import { clusterKubeletSettings } from "./kubelet-settings.ts";
import { announcedAddress, certSANs, loadBalancerClass } from "./network-names.ts";
import { deploymentStrategy, resourceRequirements } from "./pod-shapes.ts";
import { TenantControlPlane } from "./tenant-control-plane.ts";

const text = (doc: string) => z.string().optional().describe(doc);
const openList = (doc: string) => z.array(openObject()).optional().describe(doc);
const addedTo = (what: "labels" | "annotations", kind: string) =>
  stringMap().optional().describe(`Further ${what} of the ${kind}.`);

const processSettings = (of: string) => ({
  extraArgs: z.array(z.string()).optional().describe(`Further command-line flags of ${of}, each as --name=value.`),
  resources: resourceRequirements.optional().describe(`CPU and memory of ${of}.`),
});

const component = (of: string) =>
  z
    .object({
      extraVolumeMounts: openList(`Mounts, as core/v1 VolumeMount, that are added to ${of}.`),
      ...processSettings(of),
      containerImageName: z.string().min(1).optional().describe(`Image name in the registry; when empty, ${of}.`),
    })
    .optional()
    .describe(`Settings of ${of}.`);

const isLoadBalancer = (object: string) => `${object}.serviceType == 'LoadBalancer'`;
const hasClass = (object: string) =>
  `(has(${object}.loadBalancerConfig) && has(${object}.loadBalancerConfig.loadBalancerClass))`;

const networkRules: readonly CelRule[] = [
  {
    rule: `!has(self.loadBalancerConfig) || !has(self.loadBalancerConfig.loadBalancerSourceRanges) || size(self.loadBalancerConfig.loadBalancerSourceRanges) == 0 || ${isLoadBalancer("self")}`,
    message: "may only be set when serviceType is LoadBalancer",
    fieldPath: ".loadBalancerConfig.loadBalancerSourceRanges",
    reason: "FieldValueForbidden",
  },
  {
    rule: `!${hasClass("self")} || ${isLoadBalancer("self")}`,
    message: "may only be set when serviceType is LoadBalancer",
    fieldPath: ".loadBalancerConfig.loadBalancerClass",
    reason: "FieldValueForbidden",
  },
  {
    rule: `!(${isLoadBalancer("self")} && ${isLoadBalancer("oldSelf")}) || ${hasClass("self")} == ${hasClass("oldSelf")}`,
    message: "may not be added or removed while serviceType stays LoadBalancer",
    fieldPath: ".loadBalancerConfig.loadBalancerClass",
    reason: "FieldValueForbidden",
  },
  {
    rule: "!has(self.ingress) || !has(self.gateway)",
    message: "ingress and gateway exclude each other; set one of them",
  },
];

const network = withRules(
  z.object({
    serviceType: serviceType.default("LoadBalancer").describe("How the Service is reached."),
    serviceAddress: announcedAddress()
      .optional()
      .describe("Address at which the control plane is announced; wins over every other source."),
    serviceLabels: addedTo("labels", "Service"),
    serviceAnnotations: addedTo("annotations", "Service"),
    loadBalancerConfig: z
      .object({
        loadBalancerSourceRanges: z
          .array(cidr("203.0.113.0/24"))
          .max(128)
          .optional()
          .describe("Client ranges that the load balancer lets through."),
        loadBalancerClass: loadBalancerClass(),
      })
      .optional()
      .describe("Settings that need the type LoadBalancer."),
    ingress: z
      .object({
        className: text("Class of the Ingress; when empty, the default one."),
        hostname: ingressHostname(),
        controllerType: ingressControllerType(),
        extraLabels: addedTo("labels", "Ingress"),
        extraAnnotations: addedTo("annotations", "Ingress"),
      })
      .optional()
      .describe("Ingress with TLS passthrough in front of the Service."),
    gateway: z
      .object({
        parentRefs: gatewayParentRefs(),
        hostname: gatewayHostname(),
        extraLabels: addedTo("labels", "routes"),
        extraAnnotations: addedTo("annotations", "routes"),
      })
      .optional()
      .describe("Gateway API routes with TLS passthrough to the Service."),
    certSANs: certSANs("the API server"),
    dnsServiceIPs: z
      .array(ipAddress("10.96.0.10"))
      .max(16)
      .optional()
      .describe("Addresses of the DNS Service; when empty, the tenth of the Cluster's Service range."),
  }),
  ...networkRules,
);

const externalClusterReference = z.object({
  kubeconfigSecretName: z.string().min(1).describe("Secret with the kubeconfig of the other cluster."),
  kubeconfigSecretKey: z.string().min(1).describe("Key of the Secret."),
  kubeconfigSecretNamespace: text("Namespace of the Secret; when empty, that of this object."),
  deploymentNamespace: z.string().min(1).describe("Namespace of the other cluster that the control plane runs in."),
});

const deployment = z.object({
  ...podPlacement,
  priorityClassName: deploymentSettings.shape.priorityClassName,
  probes: deploymentSettings.shape.probes,
  serviceAccountName: text("ServiceAccount of the pods; when empty, default."),
  strategy: deploymentStrategy
    .optional()
    .describe("How pods are replaced; when absent, all new ones start before an old one stops."),
  extraInitContainers: openList("Containers, as core/v1 Container, that run before the components."),
  extraContainers: openList("Containers, as core/v1 Container, that run beside the components."),
  extraVolumes: openList("Volumes, as core/v1 Volume, for further mounts."),
  externalClusterReference: externalClusterReference
    .optional()
    .describe("Another cluster that the control plane runs in; when absent, this one."),
});

/** The fields that a StewardControlPlane and its template share. */
export const controlPlaneFields = {
  dataStoreName: text("DataStore of the cluster's state; when empty, Steward's default."),
  dataStoreSchema: dataStoreSchema(),
  dataStoreUsername: dataStoreUsername(),
  addons: clusterAddons.prefault({}).describe("Add-ons that Steward installs itself; an absent one is off."),
  admissionControllers: admissionControllers(),
  registry: z.string().default("registry.k8s.io").describe("Registry of the control-plane images."),
  apiServer: component("kube-apiserver"),
  controllerManager: component("kube-controller-manager"),
  scheduler: component("kube-scheduler"),
  kine: z.object(processSettings("kine")).optional().describe("Settings of kine, which serves stores other than etcd."),
  kubelet: clusterKubeletSettings(),
  certificates: TenantControlPlane.spec.shape.certificates,
  network: network.prefault({}).describe("How the control plane is reached."),
  deployment: deployment.prefault({}).describe("Where and how the pods run."),
};

/** Rules over the fields that a StewardControlPlane and its template share. */
export const controlPlaneRules: readonly CelRule[] = keptOnceSet("dataStoreSchema", "dataStoreUsername");
