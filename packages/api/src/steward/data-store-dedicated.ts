import { immutable, int32, quantity, withRules } from "@butler/resource";
import { z } from "zod";
import { resourceRequirements } from "./pod-shapes.ts";

const storage = z.object({
  // A volume cannot become smaller, and the set of pods that asked for it cannot ask again.
  size: immutable(quantity(), "size")
    .default("8Gi")
    .describe("Size of each member's volume; etcd may use three quarters of it."),
  storageClassName: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe("StorageClass of the volumes; when empty, the cluster's default one."),
});

/** The `dedicated` field of a DataStore. */
export const dedicatedStore = z.object({
  members: withRules(immutable(int32().min(1).max(3), "members"), {
    rule: "self != 2",
    message: "must be 1 or 3; two members do not outlive the loss of one",
  })
    .default(1)
    .describe("Members of each etcd: 1, or 3 to outlive the loss of a node."),
  storage: withRules(storage, {
    rule: "has(self.storageClassName) == has(oldSelf.storageClassName) && (!has(self.storageClassName) || self.storageClassName == oldSelf.storageClassName)",
    message: "is immutable",
    fieldPath: ".storageClassName",
  })
    .prefault({})
    .describe("Volumes of the members."),
  resources: resourceRequirements
    .optional()
    .describe("What each member asks for and may use; when absent, 100m CPU and 256Mi memory are requested."),
});
