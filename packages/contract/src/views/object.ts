import type { Resource } from "@butler/resource";
import { z } from "zod";
import { moment } from "../names.ts";

/** The metadata of an object, without the fields that only Kubernetes components need. */
const objectMeta = z
  .object({
    name: z.string().describe("Name of the object."),
    namespace: z.string().optional().describe("Namespace of the object. Absent if cluster-scoped."),
    uid: z.string().optional().describe("Unique ID. A recreated object with the same name has a different ID."),
    resourceVersion: z.string().optional().describe("Object version, for concurrency control. Include it in updates."),
    generation: z
      .int()
      .optional()
      .describe("Generation of the desired state. Incremented with every change to the spec."),
    creationTimestamp: moment("Creation time").optional(),
    deletionTimestamp: moment("Deletion time").optional(),
    labels: z.record(z.string(), z.string()).optional().describe("Labels."),
    annotations: z
      .record(z.string(), z.string())
      .optional()
      .describe("Butler annotations. Other annotations are omitted."),
  })
  .meta({ id: "ObjectMeta", examples: [{ name: "shop", namespace: "payments" }] });

/** An object of a kind as in Kubernetes, without internal metadata. */
export function objectView<Spec extends z.ZodType, Status extends z.ZodType | undefined>(
  resource: Resource<Spec, Status>,
) {
  return z
    .object({
      apiVersion: z.literal(resource.apiVersion).describe("API group and version."),
      kind: z.literal(resource.kind).describe("Kind of the object."),
      metadata: objectMeta.describe("Object metadata."),
      spec: resource.spec.describe("Desired state."),
      status: (resource.status ?? z.object({})).optional().describe("Observed state."),
    })
    .meta({ id: resource.kind, description: resource.doc, examples: [resource.example] });
}

/** Response to a deletion, which has started and proceeds asynchronously. */
export const deletion = z
  .object({
    message: z.string().describe("Human-readable status."),
  })
  .meta({ id: "Deletion", examples: [{ message: "payments/shop is being deleted" }] });
