import { conditions, defineResource, observedGeneration, type ObjectOf } from "@butler/resource";
import { z } from "zod";

/** A demonstration kind: a text that is published under a name in a directory outside the cluster. */
export const Greeting = defineResource({
  group: "demo.butlerlabs.dev",
  version: "v1alpha1",
  kind: "Greeting",
  scope: "Namespaced",
  doc: "Greeting publishes a text in a directory outside the cluster.",
  spec: z.object({ text: z.string().min(1).max(200).describe("Text to publish.") }),
  status: z.object({
    conditions: conditions("Ready"),
    observedGeneration: observedGeneration(),
    publishedText: z.string().optional().describe("Currently published text."),
  }),
  columns: { Text: ".spec.text" },
  example: {
    metadata: { name: "hello", namespace: "default" },
    spec: { text: "Hello" },
  },
});
export type Greeting = ObjectOf<typeof Greeting>;
