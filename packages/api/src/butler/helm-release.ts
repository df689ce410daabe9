import { z } from "zod";

/** The Helm release behind an add-on, as its status reports it. */
export const helmRelease = z.object({
  name: z.string().optional().describe("Name of the release."),
  namespace: z.string().optional().describe("Namespace that the release is in."),
  version: z.string().optional().describe("Version of the chart that the release was made from."),
  revision: z.int().optional().describe("Revision of the release; Helm counts up from 1 with every upgrade."),
  appVersion: z.string().optional().describe("Version of what the chart brings, as the chart says."),
  kubernetesVersions: z
    .string()
    .optional()
    .describe("Kubernetes versions that the chart says it works with; when empty, it says nothing."),
  status: z.string().optional().describe("State of the release in Helm's own words, such as deployed or failed."),
});
