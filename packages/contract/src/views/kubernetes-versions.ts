import { z } from "zod";

/** The Kubernetes versions available for clusters. */
export const kubernetesVersions = z
  .object({
    defaultVersion: z.string().describe("Default version for new clusters."),
    minors: z
      .array(
        z.object({
          minor: z.string().describe("Minor version, such as v1.36."),
          versions: z.array(z.string()).describe("Available patch versions. Empty for all."),
        }),
      )
      .describe("Available minor versions, newest first."),
  })
  .meta({
    id: "KubernetesVersions",
    examples: [{ defaultVersion: "v1.36.3", minors: [{ minor: "v1.36", versions: [] }] }],
  });
