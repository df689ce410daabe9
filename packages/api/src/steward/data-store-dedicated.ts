import { immutable, int32, quantity, withRules } from "@butler/resource";
import { z } from "zod";
import { resourceRequirements } from "./pod-shapes.ts";

const storage = z.object({
  // A volume cannot be shrunk, and the volumeClaimTemplates of a StatefulSet are immutable.
  size: immutable(quantity(), "size")
    .default("8Gi")
    .describe("Volume size per member. etcd can use up to three quarters of the volume."),
  storageClassName: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe("StorageClass for the volumes. Defaults to the cluster's default StorageClass."),
});

/** The `dedicated` field of a DataStore. */
export const dedicatedStore = z.object({
  members: withRules(immutable(int32().min(1).max(3), "members"), {
    rule: "self != 2",
    message: "must be 1 or 3; two members cannot tolerate the loss of one",
  })
    .default(1)
    .describe("Number of etcd members: 1, or 3 to tolerate the loss of a node."),
  storage: withRules(storage, {
    rule: "has(self.storageClassName) == has(oldSelf.storageClassName) && (!has(self.storageClassName) || self.storageClassName == oldSelf.storageClassName)",
    message: "is immutable",
    fieldPath: ".storageClassName",
  })
    .prefault({})
    .describe("Storage for the members."),
  resources: resourceRequirements
    .optional()
    .describe("Resources for each member. Defaults to requests of 100m CPU and 256Mi memory."),
});
