import { z } from "zod";

/** The Kubernetes versions that clusters can be asked for with. */
export const kubernetesVersions = z
  .object({
    defaultVersion: z.string().describe("Version of clusters that name none."),
    minors: z
      .array(
        z.object({
          minor: z.string().describe("The minor version, such as v1.36."),
          versions: z.array(z.string()).describe("Its versions that may be used; when empty, every one."),
        }),
      )
      .describe("Minor versions that may be used, the newest first."),
  })
  .meta({
    id: "KubernetesVersions",
    examples: [{ defaultVersion: "v1.36.3", minors: [{ minor: "v1.36", versions: [] }] }],
  });
