import { int32, secretRef } from "@butler/resource";
import { z } from "zod";
import { infrastructures } from "./infrastructures.ts";

const version = () =>
  z.string().optional().describe("Version to install; when empty, the one that this release of Butler brings.");
const enabled = (what: string) => z.boolean().default(true).describe(`Whether ${what} is installed.`);

const cni = z.object({
  type: z
    .enum(["cilium", "none"])
    .default("cilium")
    .describe("Pod network; with none the cluster stays without one until you install it."),
  version: version(),
  hubbleEnabled: z.boolean().default(true).describe("Whether Hubble, which shows network flows, comes with Cilium."),
});

const storage = z.object({
  type: z.enum(["longhorn", "none"]).default("longhorn").describe("Storage for volumes; none installs nothing."),
  version: version(),
  replicaCount: int32()
    .default(3)
    .describe("Copies that Longhorn keeps of every volume; a single-node cluster always keeps 1."),
});

const loadBalancer = z.object({
  type: z
    .enum(["metallb", "none"])
    .default("metallb")
    .describe("What gives Services of type LoadBalancer their addresses; none installs nothing."),
  addressPool: z
    .string()
    .optional()
    .describe("Older spelling of spec.network.loadBalancerPool, as `first-last`; read when that is absent."),
});

const gitOps = z.object({
  type: z.enum(["flux", "none"]).default("flux").describe("GitOps tool; none installs nothing."),
  enabled: enabled("the GitOps tool"),
});

const controlPlaneHA = z.object({
  type: z
    .enum(["kube-vip", "none"])
    .default("kube-vip")
    .describe("What holds the address in spec.network.vip; none installs nothing. Clouds use a load balancer instead."),
  version: version(),
});

const certManager = z.object({ enabled: enabled("cert-manager"), version: version() });

const ingress = z.object({
  type: z.enum(["traefik", "nginx", "none"]).default("traefik").describe("Ingress controller; none installs nothing."),
  enabled: enabled("the ingress controller"),
  version: version(),
});

const controlPlaneProvider = z.object({
  type: z
    .enum(["steward", "kamaji", "none"])
    .default("steward")
    .describe("What runs the control planes of tenant clusters; none installs nothing."),
  enabled: enabled("the control plane provider"),
  version: version(),
});

const capi = z.object({
  enabled: enabled("Cluster API"),
  version: z.string().default("v1.9.4").describe("Version of Cluster API's core."),
  infrastructureProviders: z
    .array(
      z.object({
        name: z.enum(infrastructures).describe("Infrastructure that the provider is for."),
        version: z
          .string()
          .optional()
          .describe("Version of the provider; when empty, the one that goes with the core."),
        credentialsSecretRef: secretRef()
          .optional()
          .describe("Secret with the credentials; required unless it is the cluster's own infrastructure."),
      }),
    )
    .optional()
    .describe("Infrastructure providers besides that of the cluster's own infrastructure, which is always there."),
});

const butlerController = z.object({
  enabled: enabled("the Butler controller"),
  version: z.string().default("latest").describe("Tag of the controller's image."),
  image: z
    .string()
    .default("ghcr.io/butlerdotdev/butler-controller")
    .describe("Repository of the controller's image, without a tag."),
});

const butlerConsole = z.object({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Whether the console is installed. Without the console block it is; with the block it must be asked for.",
    ),
  version: z.string().default("latest").describe("Tag of the console's image."),
  ingress: z
    .object({
      enabled: z.boolean().default(false).describe("Whether the console gets an Ingress."),
      host: z
        .string()
        .optional()
        .describe("Host name of the console; when empty, `butler.` and the cluster's name followed by `.local`."),
      className: z.string().optional().describe("Class of the Ingress; when empty, the default class."),
      tls: z.boolean().default(false).describe("Whether the Ingress serves https."),
      tlsSecretName: z
        .string()
        .optional()
        .describe("Secret with the certificate; when empty, the ingress controller's default certificate."),
    })
    .optional()
    .describe("Ingress of the console; when absent, none."),
});

/** What a new management cluster gets installed. An absent block stands for the block's defaults, except console. */
export const bootstrapAddons = z.object({
  cni: cni.optional().describe("Pod network; when absent, Cilium."),
  storage: storage.optional().describe("Storage for volumes; when absent, Longhorn."),
  loadBalancer: loadBalancer.optional().describe("Addresses for Services; when absent, MetalLB."),
  gitOps: gitOps.optional().describe("GitOps tool of the management cluster; when absent, Flux."),
  controlPlaneHA: controlPlaneHA.optional().describe("Virtual address of the API servers; when absent, kube-vip."),
  certManager: certManager.optional().describe("Certificates; when absent, cert-manager is installed."),
  ingress: ingress.optional().describe("Ingress controller; when absent, Traefik."),
  controlPlaneProvider: controlPlaneProvider
    .optional()
    .describe("Control planes of tenant clusters; when absent, Steward."),
  capi: capi.optional().describe("Cluster API; when absent, it is installed."),
  butlerController: butlerController.optional().describe("The Butler controller; when absent, it is installed."),
  console: butlerConsole.optional().describe("The Butler console; when absent, it is installed."),
});
