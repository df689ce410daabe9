import type { Resource } from "@butler/resource";
import { z } from "zod";
import { moment } from "../names.ts";

/** What is shown of the metadata of an object. What only programs of Kubernetes need is left out. */
const objectMeta = z
  .object({
    name: z.string().describe("Name of the object."),
    namespace: z.string().optional().describe("Namespace of the object; absent when it belongs to none."),
    uid: z.string().optional().describe("Tells the object from a later one of the same name."),
    resourceVersion: z.string().optional().describe("Changes with every change; send it back to change what you saw."),
    generation: z.int().optional().describe("Grows with every change of the spec."),
    creationTimestamp: moment("When the object was made").optional(),
    deletionTimestamp: moment("When its deletion was asked for").optional(),
    labels: z.record(z.string(), z.string()).optional().describe("Labels."),
    annotations: z
      .record(z.string(), z.string())
      .optional()
      .describe("Annotations of Butler's own; others are left out."),
  })
  .meta({ id: "ObjectMeta", examples: [{ name: "shop", namespace: "payments" }] });

/** Shows an object of a kind as Kubernetes has it, without what is nobody's business. */
export function objectView<Spec extends z.ZodType, Status extends z.ZodType | undefined>(
  resource: Resource<Spec, Status>,
) {
  return z
    .object({
      apiVersion: z.literal(resource.apiVersion).describe("API group and version of the kind."),
      kind: z.literal(resource.kind).describe("The kind."),
      metadata: objectMeta.describe("Name, labels and what else identifies the object."),
      spec: resource.spec.describe("What is wanted."),
      status: (resource.status ?? z.object({})).optional().describe("What there is."),
    })
    .meta({ id: resource.kind, description: resource.doc, examples: [resource.example] });
}

/** What a deletion is answered with: it has begun, and what there is goes step by step. */
export const deletion = z
  .object({
    message: z.string().describe("What happens now, as a sentence."),
  })
  .meta({ id: "Deletion", examples: [{ message: "payments/shop is being deleted" }] });
