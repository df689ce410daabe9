import { z } from "zod";

/** The Helm release behind an add-on, as its status reports it. */
export const helmRelease = z.object({
  name: z.string().optional().describe("Name of the release."),
  namespace: z.string().optional().describe("Namespace of the release."),
  version: z.string().optional().describe("Chart version of the release."),
  revision: z.int().optional().describe("Revision of the release. Starts at 1 and is incremented by every upgrade."),
  appVersion: z.string().optional().describe("Application version (appVersion) of the chart."),
  kubernetesVersions: z
    .string()
    .optional()
    .describe("Kubernetes versions that the chart supports (kubeVersion). Empty if the chart does not declare any."),
  status: z.string().optional().describe("Status of the release as reported by Helm, such as deployed or failed."),
});
