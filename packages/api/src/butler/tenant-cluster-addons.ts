import { localRef } from "@butler/resource";
import { z } from "zod";
import { gitBranch, gitUrl } from "./git-location.ts";
import { helmValues } from "./helm-values.ts";

const version = z.string().describe("Version of the add-on.");
const optionalVersion = z.string().optional().describe("Version of the add-on; when empty, the platform's.");
const values = helmValues
  .optional()
  .describe("Helm values, laid over those that Butler sets; when absent nothing is changed.");

const repository = z.object({
  url: gitUrl().describe("Where the repository is."),
  branch: gitBranch().default("main").describe("Branch that the cluster follows; `main` when absent."),
  path: z.string().optional().describe("Folder of this cluster in the repository; when empty, its root."),
  secretRef: localRef("Secret")
    .optional()
    .describe("Secret with the credentials for the repository; when absent it is read without any."),
});

/** Add-ons that a tenant cluster is made with. Entries are added and changed, never uninstalled, by this list. */
export const tenantClusterAddons = z.object({
  cni: z
    .object({
      provider: z.enum(["cilium"]).default("cilium").describe("Product that connects pods; `cilium` when absent."),
      version,
      values,
    })
    .optional()
    .describe("Pod network; when absent Cilium in the platform's version."),
  loadBalancer: z
    .object({
      provider: z
        .enum(["metallb"])
        .default("metallb")
        .describe("Product that announces addresses; `metallb` when absent."),
      version,
      values,
    })
    .optional()
    .describe("Addresses for Services of type LoadBalancer; when absent MetalLB in the platform's version."),
  certManager: z
    .object({
      enabled: z.boolean().default(true).describe("Whether cert-manager is installed; true when absent."),
      version,
      values,
    })
    .optional()
    .describe("Certificates; when absent cert-manager in the platform's version."),
  storage: z
    .object({
      provider: z
        .enum(["longhorn", "linstor"])
        .optional()
        .describe("Product that makes volumes; when absent the platform's choice."),
      version,
      values,
    })
    .optional()
    .describe("Persistent volumes; when absent the platform's choice."),
  ingress: z
    .object({
      enabled: z
        .boolean()
        .default(true)
        .describe(
          "Whether an ingress controller is installed; true when absent. false saves one load-balancer address.",
        ),
      provider: z
        .enum(["traefik", "nginx"])
        .optional()
        .describe("Product that routes HTTP; when absent the platform's choice."),
      version: optionalVersion,
      values,
    })
    .optional()
    .describe("HTTP routing; when absent an ingress controller is installed all the same."),
  gitops: z
    .object({
      provider: z
        .enum(["fluxcd", "argocd"])
        .optional()
        .describe("Product that applies what is in Git; when absent Flux."),
      version: optionalVersion,
      repository: repository
        .optional()
        .describe("Repository that the cluster follows; when absent GitOps is installed and follows nothing yet."),
    })
    .optional()
    .describe("GitOps; when absent none is set up."),
});
