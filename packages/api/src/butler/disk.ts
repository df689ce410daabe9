import { int32 } from "@butler/resource";
import { z } from "zod";

/** An additional disk of a machine. */
export const disk = z.object({
  sizeGB: int32().min(1).describe("Size of the disk, in GB."),
  storageClass: z
    .string()
    .optional()
    .describe("Storage class or tier on the provider. Defaults to the provider's default."),
});
