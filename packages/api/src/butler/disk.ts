import { int32 } from "@butler/resource";
import { z } from "zod";

/** A disk that a machine gets besides its root disk. */
export const disk = z.object({
  sizeGB: int32().min(1).describe("Size of the disk, in GB."),
  storageClass: z
    .string()
    .optional()
    .describe("Storage class or tier on the provider's side; when empty, the provider's default."),
});
