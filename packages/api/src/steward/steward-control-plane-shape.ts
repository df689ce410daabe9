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
  stringMap().optional().describe(`Additional ${what} for the ${kind}.`);

const processSettings = (of: string) => ({
  extraArgs: z.array(z.string()).optional().describe(`Additional command-line flags for ${of}, each as --name=value.`),
  resources: resourceRequirements.optional().describe(`Resources for ${of}.`),
});

const component = (of: string) =>
  z
    .object({
      extraVolumeMounts: openList(`Additional volume mounts for ${of}, as core/v1 VolumeMount.`),
      ...processSettings(of),
      containerImageName: z.string().min(1).optional().describe(`Image name in the registry. Defaults to ${of}.`),
    })
    .optional()
    .describe(`Settings for ${of}.`);

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
    message: "cannot be added or removed while serviceType is LoadBalancer",
    fieldPath: ".loadBalancerConfig.loadBalancerClass",
    reason: "FieldValueForbidden",
  },
  {
    rule: "!has(self.ingress) || !has(self.gateway)",
    message: "ingress and gateway are mutually exclusive; set one of them",
  },
];

const network = withRules(
  z.object({
    serviceType: serviceType.default("LoadBalancer").describe("Type of the Service."),
    serviceAddress: announcedAddress()
      .optional()
      .describe("Advertised address of the control plane. Takes precedence over all other sources."),
    serviceLabels: addedTo("labels", "Service"),
    serviceAnnotations: addedTo("annotations", "Service"),
    loadBalancerConfig: z
      .object({
        loadBalancerSourceRanges: z
          .array(cidr("203.0.113.0/24"))
          .max(128)
          .optional()
          .describe("CIDRs that are allowed to connect to the load balancer."),
        loadBalancerClass: loadBalancerClass(),
      })
      .optional()
      .describe("Settings for Services of type LoadBalancer."),
    ingress: z
      .object({
        className: text("Class of the Ingress. Defaults to the default IngressClass."),
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
      .describe("IP addresses of the DNS Service. Defaults to the tenth address of the Cluster's Service CIDR."),
  }),
  ...networkRules,
);

const externalClusterReference = z.object({
  kubeconfigSecretName: z.string().min(1).describe("Secret with the kubeconfig for the external cluster."),
  kubeconfigSecretKey: z.string().min(1).describe("Key in the Secret."),
  kubeconfigSecretNamespace: text("Namespace of the Secret. Defaults to the namespace of this object."),
  deploymentNamespace: z.string().min(1).describe("Namespace in the external cluster to run the control plane in."),
});

const deployment = z.object({
  ...podPlacement,
  priorityClassName: deploymentSettings.shape.priorityClassName,
  probes: deploymentSettings.shape.probes,
  serviceAccountName: text("ServiceAccount for the pods. Defaults to default."),
  strategy: deploymentStrategy
    .optional()
    .describe("Deployment strategy. By default, all new pods are started before an old one is stopped."),
  extraInitContainers: openList("Additional init containers, as core/v1 Container."),
  extraContainers: openList("Additional containers, as core/v1 Container."),
  extraVolumes: openList("Additional volumes, as core/v1 Volume."),
  externalClusterReference: externalClusterReference
    .optional()
    .describe("External cluster to run the control plane in. Defaults to the management cluster."),
});

/** The fields that a StewardControlPlane and its template share. */
export const controlPlaneFields = {
  dataStoreName: text("DataStore for the cluster state. Defaults to Steward's default DataStore."),
  dataStoreSchema: dataStoreSchema(),
  dataStoreUsername: dataStoreUsername(),
  addons: clusterAddons.prefault({}).describe("Add-ons installed by Steward. Unset add-ons are disabled."),
  admissionControllers: admissionControllers(),
  registry: z.string().default("registry.k8s.io").describe("Registry for the control plane images."),
  apiServer: component("kube-apiserver"),
  controllerManager: component("kube-controller-manager"),
  scheduler: component("kube-scheduler"),
  kine: z
    .object(processSettings("kine"))
    .optional()
    .describe("Settings for kine, which is used for stores other than etcd."),
  kubelet: clusterKubeletSettings(),
  certificates: TenantControlPlane.spec.shape.certificates,
  network: network.prefault({}).describe("How the control plane is exposed."),
  deployment: deployment.prefault({}).describe("Deployment that runs the control plane pods."),
};

/** Rules over the fields that a StewardControlPlane and its template share. */
export const controlPlaneRules: readonly CelRule[] = keptOnceSet("dataStoreSchema", "dataStoreUsername");
