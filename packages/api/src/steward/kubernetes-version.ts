import { formattedText } from "@butler/resource";
import type { z } from "zod";

/** A Kubernetes version; the leading `v` may be left out. */
export const kubernetesVersion = (): z.ZodString =>
  formattedText({
    pattern: String.raw`^v?[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`,
    message: "must be a full version such as v1.36.3",
    maxLength: 64,
  });
