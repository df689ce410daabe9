import {
  type CelRule,
  defineResource,
  duration,
  formattedText,
  keptOnceSet,
  listMap,
  type ObjectOf,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { controlPlaneAddons } from "./addons.ts";
import { admissionControllers } from "./admission-plugins.ts";
import { dataStoreSchema, dataStoreUsername } from "./data-store-identity.ts";
import { deploymentSettings } from "./deployment-settings.ts";
import { controlPlaneGateway, controlPlaneIngress, controlPlaneService } from "./exposure.ts";
import { stewardGroup } from "./group.ts";
import { kubeletSettings } from "./kubelet-settings.ts";
import { kubernetesVersion } from "./kubernetes-version.ts";
import { networkProfile } from "./network-profile.ts";
import { tenantControlPlaneStatus } from "./tenant-control-plane-status.ts";

export {
  type KubernetesVersion,
  parseKubernetesVersion,
  supportedMinors,
  upgradeFault,
  versionFault,
} from "./kubernetes-version.ts";

const block = (what: string) =>
  z.boolean().default(false).describe(`Whether the tenant's API server rejects requests to ${what} objects.`);

const writePermissions = z.object({
  blockCreation: block("create"),
  blockUpdate: block("update"),
  blockDeletion: block("delete"),
});

const dataStoreOverride = z.object({
  resource: formattedText({
    pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?/?[a-z0-9]+$",
    message: "must be group/resource, such as /events or apps/deployments",
    maxLength: 253,
  }).describe("Resource to store in another DataStore, as group/resource. The core group is empty, as in /events."),
  dataStore: z.string().min(1).max(253).describe("DataStore for these objects. Its driver must be etcd."),
});

const certificates = z.object({
  algorithm: z
    .enum(["ECDSA", "RSA"])
    .default("ECDSA")
    .describe("Key algorithm: ECDSA with the P-256 curve, or RSA with 2048-bit keys. Applies to newly generated keys."),
  lifetime: duration()
    .default("8760h")
    .describe(
      "Validity period of certificates other than CAs. Certificates are renewed after two thirds of this period.",
    ),
  authorityLifetime: duration()
    .default("87600h")
    .describe("Validity period of newly generated CAs. Nodes must rejoin the cluster after a change."),
});

const controlPlane = withRules(
  z.object({
    deployment: deploymentSettings.prefault({}).describe("Control plane pods."),
    service: controlPlaneService.describe("Control plane Service."),
    ingress: controlPlaneIngress.optional().describe("Ingress with TLS passthrough in front of the Service."),
    gateway: controlPlaneGateway.optional().describe("Gateway API routes with TLS passthrough to the Service."),
  }),
  {
    rule: "!has(self.ingress) || !has(self.gateway)",
    message: "ingress and gateway are mutually exclusive; set one of them",
  },
);

const isLoadBalancer = (object: string) => `${object}.controlPlane.service.serviceType == 'LoadBalancer'`;
const hasClass = (object: string) => `has(${object}.networkProfile.loadBalancerClass)`;

const specRules: readonly CelRule[] = [
  ...keptOnceSet("dataStore", "dataStoreSchema", "dataStoreUsername"),
  {
    rule: `!has(self.networkProfile.loadBalancerSourceRanges) || size(self.networkProfile.loadBalancerSourceRanges) == 0 || ${isLoadBalancer("self")}`,
    message: "may only be set when serviceType is LoadBalancer",
    fieldPath: ".networkProfile.loadBalancerSourceRanges",
    reason: "FieldValueForbidden",
  },
  {
    rule: `!${hasClass("self")} || ${isLoadBalancer("self")}`,
    message: "may only be set when serviceType is LoadBalancer",
    fieldPath: ".networkProfile.loadBalancerClass",
    reason: "FieldValueForbidden",
  },
  {
    rule: `!(${isLoadBalancer("self")} && ${isLoadBalancer("oldSelf")}) || ${hasClass("self")} == ${hasClass("oldSelf")}`,
    message: "cannot be added or removed while serviceType is LoadBalancer",
    fieldPath: ".networkProfile.loadBalancerClass",
    reason: "FieldValueForbidden",
  },
  {
    rule: "!has(self.addons.coreDNS) || !has(self.networkProfile.dnsServiceIPs) || !isCIDR(self.networkProfile.serviceCidr) || self.networkProfile.dnsServiceIPs.all(address, !isIP(address) || cidr(self.networkProfile.serviceCidr).containsIP(address))",
    message: "must be within serviceCidr when addons.coreDNS is set",
    fieldPath: ".networkProfile.dnsServiceIPs",
  },
  {
    rule: "!has(self.addons.konnectivity) || self.addons.konnectivity.server.port != self.networkProfile.port",
    message: "must differ from networkProfile.port",
    fieldPath: ".addons.konnectivity.server.port",
  },
  {
    rule: "!has(self.addons.workerBootstrap) || !has(self.addons.workerBootstrap.talos) || (self.addons.workerBootstrap.talos.port != self.networkProfile.port && (!has(self.addons.konnectivity) || self.addons.workerBootstrap.talos.port != self.addons.konnectivity.server.port))",
    message: "must differ from networkProfile.port and addons.konnectivity.server.port",
    fieldPath: ".addons.workerBootstrap.talos.port",
  },
];

/** A Kubernetes control plane that runs as pods. */
export const TenantControlPlane = defineResource({
  ...stewardGroup,
  kind: "TenantControlPlane",
  scope: "Namespaced",
  shortNames: ["tcp"],
  categories: ["steward"],
  doc: "TenantControlPlane is a Kubernetes control plane that runs as pods in the management cluster.",
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63",
      message:
        "metadata.name is used as a Service name: it must consist of at most 63 lowercase letters, digits and '-', start with a letter and end with a letter or digit",
    },
  ],
  spec: withRules(
    z.object({
      writePermissions: writePermissions
        .prefault({})
        .describe("Write requests to reject in the tenant cluster, for example while it exceeds its quota."),
      dataStore: z
        .string()
        .max(253)
        .optional()
        .describe("DataStore for the cluster state. Defaults to Steward's default DataStore. Cannot be changed."),
      dataStoreSchema: dataStoreSchema(),
      dataStoreUsername: dataStoreUsername(),
      dataStoreOverrides: listMap(dataStoreOverride, "resource")
        .max(64)
        .optional()
        .describe("Resources to store in another DataStore."),
      controlPlane: controlPlane.describe("How the control plane runs and is exposed."),
      kubernetes: z
        .object({
          version: kubernetesVersion().describe("Kubernetes version of the control plane."),
          kubelet: kubeletSettings.describe("Settings for the nodes' kubelets."),
          admissionControllers: admissionControllers(),
        })
        .describe("Kubernetes settings."),
      networkProfile: networkProfile.prefault({}).describe("Network settings."),
      certificates: certificates.prefault({}).describe("Key and certificate settings."),
      addons: controlPlaneAddons.prefault({}).describe("Add-ons installed by Steward. Unset add-ons are disabled."),
    }),
    ...specRules,
  ),
  status: tenantControlPlaneStatus,
  scale: {
    specReplicasPath: ".spec.controlPlane.deployment.replicas",
    statusReplicasPath: ".status.kubernetesResources.deployment.replicas",
    labelSelectorPath: ".status.kubernetesResources.deployment.selector",
  },
  columns: {
    Version: ".spec.kubernetes.version",
    "Installed Version": ".status.kubernetesResources.version.version",
    Status: ".status.kubernetesResources.version.status",
    "Control-Plane endpoint": ".status.controlPlaneEndpoint",
    Kubeconfig: ".status.kubeconfig.admin.secretName",
    Datastore: ".status.storage.dataStoreName",
  },
  example: {
    metadata: { name: "blue", namespace: "default" },
    spec: {
      dataStore: "default",
      controlPlane: {
        deployment: {
          replicas: 2,
          resources: { apiServer: { requests: { cpu: "100m", memory: "320Mi" } } },
        },
        service: { serviceType: "LoadBalancer" },
      },
      kubernetes: {
        version: "v1.36.3",
        kubelet: { configurationJSONPatches: [{ op: "add", path: "/maxPods", value: 64 }] },
      },
      networkProfile: { port: 6443, certSANs: ["blue.k8s.example.com"] },
      addons: { coreDNS: {}, kubeProxy: {}, konnectivity: {} },
    },
  },
});
export type TenantControlPlane = ObjectOf<typeof TenantControlPlane>;
