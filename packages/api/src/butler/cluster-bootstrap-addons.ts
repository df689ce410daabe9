import { int32, secretRef } from "@butler/resource";
import { z } from "zod";
import { infrastructures } from "./infrastructures.ts";

const version = () =>
  z.string().optional().describe("Version to install. Defaults to the version shipped with this Butler release.");
const enabled = (what: string) => z.boolean().default(true).describe(`Whether to install ${what}.`);

const cni = z.object({
  type: z
    .enum(["cilium", "none"])
    .default("cilium")
    .describe("CNI plugin. If none, the cluster has no pod network until you install a CNI plugin."),
  version: version(),
  hubbleEnabled: z.boolean().default(true).describe("Whether to install Hubble with Cilium to observe network flows."),
});

const storage = z.object({
  type: z
    .enum(["longhorn", "none"])
    .default("longhorn")
    .describe("Storage provider for volumes. If none, no storage provider is installed."),
  version: version(),
  replicaCount: int32()
    .default(3)
    .describe("Number of replicas per Longhorn volume. Always 1 on a single-node cluster."),
});

const loadBalancer = z.object({
  type: z
    .enum(["metallb", "none"])
    .default("metallb")
    .describe(
      "Load balancer implementation for Services of type LoadBalancer. If none, no load balancer is installed.",
    ),
  addressPool: z
    .string()
    .optional()
    .describe(
      "Deprecated: use spec.network.loadBalancerPool. Range as `first-last`, used if loadBalancerPool is unset.",
    ),
});

const gitOps = z.object({
  type: z.enum(["flux", "none"]).default("flux").describe("GitOps tool. If none, no GitOps tool is installed."),
  enabled: enabled("the GitOps tool"),
});

const controlPlaneHA = z.object({
  type: z
    .enum(["kube-vip", "none"])
    .default("kube-vip")
    .describe(
      "Component that announces the address in spec.network.vip. If none, nothing is installed. Cloud providers use a load balancer instead.",
    ),
  version: version(),
});

const certManager = z.object({ enabled: enabled("cert-manager"), version: version() });

const ingress = z.object({
  type: z
    .enum(["traefik", "nginx", "none"])
    .default("traefik")
    .describe("Ingress controller. If none, no ingress controller is installed."),
  enabled: enabled("the ingress controller"),
  version: version(),
});

const controlPlaneProvider = z.object({
  type: z
    .enum(["steward", "kamaji", "none"])
    .default("steward")
    .describe("Component that runs tenant control planes. If none, nothing is installed."),
  enabled: enabled("the control plane provider"),
  version: version(),
});

const capi = z.object({
  enabled: enabled("Cluster API"),
  version: z.string().default("v1.9.4").describe("Version of the Cluster API core provider."),
  infrastructureProviders: z
    .array(
      z.object({
        name: z.enum(infrastructures).describe("Infrastructure to install a provider for."),
        version: z
          .string()
          .optional()
          .describe("Version of the provider. Defaults to the version that matches the core provider."),
        credentialsSecretRef: secretRef()
          .optional()
          .describe("Secret with the credentials. Required unless the cluster itself runs on this infrastructure."),
      }),
    )
    .optional()
    .describe(
      "Additional infrastructure providers. The provider for the cluster's own infrastructure is always installed.",
    ),
});

const butlerController = z.object({
  enabled: enabled("the Butler controller"),
  version: z.string().default("latest").describe("Tag of the controller image."),
  image: z
    .string()
    .default("ghcr.io/butlerdotdev/butler-controller")
    .describe("Repository for the controller image, without a tag."),
});

const butlerConsole = z.object({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Whether to install the console. If the console block is omitted, the console is installed. If the block is present, set enabled to true to install the console.",
    ),
  version: z.string().default("latest").describe("Tag of the console image."),
  ingress: z
    .object({
      enabled: z.boolean().default(false).describe("Whether to create an Ingress for the console."),
      host: z.string().optional().describe("Hostname for the console. Defaults to `butler.<cluster name>.local`."),
      className: z.string().optional().describe("Class of the Ingress. Defaults to the default IngressClass."),
      tls: z.boolean().default(false).describe("Whether the Ingress serves HTTPS."),
      tlsSecretName: z
        .string()
        .optional()
        .describe("Secret with the certificate. Defaults to the default certificate of the ingress controller."),
    })
    .optional()
    .describe("Ingress for the console. If unset, no Ingress is created."),
});

/** Add-ons of a new management cluster. An unset block means the defaults of the block, except for console. */
export const bootstrapAddons = z.object({
  cni: cni.optional().describe("CNI plugin. Defaults to Cilium."),
  storage: storage.optional().describe("Storage provider for volumes. Defaults to Longhorn."),
  loadBalancer: loadBalancer.optional().describe("Load balancer for Services. Defaults to MetalLB."),
  gitOps: gitOps.optional().describe("GitOps tool for the management cluster. Defaults to Flux."),
  controlPlaneHA: controlPlaneHA
    .optional()
    .describe("Component that announces the virtual IP of the API servers. Defaults to kube-vip."),
  certManager: certManager.optional().describe("Certificate management. If unset, cert-manager is installed."),
  ingress: ingress.optional().describe("Ingress controller. Defaults to Traefik."),
  controlPlaneProvider: controlPlaneProvider
    .optional()
    .describe("Control plane provider for tenant clusters. Defaults to Steward."),
  capi: capi.optional().describe("Cluster API. Installed if unset."),
  butlerController: butlerController.optional().describe("Butler controller. Installed if unset."),
  console: butlerConsole.optional().describe("Butler console. Installed if unset."),
});
