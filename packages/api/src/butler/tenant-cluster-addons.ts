import { localRef } from "@butler/resource";
import { z } from "zod";
import { gitBranch, gitUrl } from "./git-location.ts";
import { helmValues } from "./helm-values.ts";

const version = z.string().describe("Version of the add-on.");
const optionalVersion = z.string().optional().describe("Version of the add-on. Defaults to the platform default.");
const values = helmValues.optional().describe("Helm values, merged over the values set by Butler.");

const repository = z.object({
  url: gitUrl().describe("URL of the repository."),
  branch: gitBranch().default("main").describe("Branch that the cluster is synced from. Defaults to `main`."),
  path: z.string().optional().describe("Directory for this cluster in the repository. Defaults to the root directory."),
  secretRef: localRef("Secret")
    .optional()
    .describe(
      "Secret with the credentials for the repository. If unset, the repository is accessed without credentials.",
    ),
});

/** Default add-ons of a tenant cluster. Removing an entry does not uninstall the add-on. */
export const tenantClusterAddons = z.object({
  cni: z
    .object({
      provider: z.enum(["cilium"]).default("cilium").describe("CNI plugin. Defaults to `cilium`."),
      version,
      values,
    })
    .optional()
    .describe("Pod network. Defaults to the platform's version of Cilium."),
  loadBalancer: z
    .object({
      provider: z.enum(["metallb"]).default("metallb").describe("Load balancer implementation. Defaults to `metallb`."),
      version,
      values,
    })
    .optional()
    .describe("Load balancer for Services of type LoadBalancer. Defaults to the platform's version of MetalLB."),
  certManager: z
    .object({
      enabled: z.boolean().default(true).describe("Whether to install cert-manager. Defaults to true."),
      version,
      values,
    })
    .optional()
    .describe("Certificate management. Defaults to the platform's version of cert-manager."),
  storage: z
    .object({
      provider: z
        .enum(["longhorn", "linstor"])
        .optional()
        .describe("Storage provider. Defaults to the platform default."),
      version,
      values,
    })
    .optional()
    .describe("Storage for persistent volumes. Defaults to the platform default."),
  ingress: z
    .object({
      enabled: z
        .boolean()
        .default(true)
        .describe(
          "Whether to install an ingress controller. Defaults to true. Set to false to save one load balancer address.",
        ),
      provider: z
        .enum(["traefik", "nginx"])
        .optional()
        .describe("Ingress controller. Defaults to the platform default."),
      version: optionalVersion,
      values,
    })
    .optional()
    .describe("Ingress settings. If unset, an ingress controller is still installed."),
  gitops: z
    .object({
      provider: z.enum(["fluxcd", "argocd"]).optional().describe("GitOps tool. Defaults to Flux."),
      version: optionalVersion,
      repository: repository
        .optional()
        .describe(
          "Repository that the cluster is synced from. If unset, the GitOps tool is installed without a repository.",
        ),
    })
    .optional()
    .describe("GitOps settings. If unset, GitOps is not set up."),
});
