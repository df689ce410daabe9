import { defineController, holds } from "@butler/controller";
import {
  builtinKinds,
  conditions,
  defineResource,
  int32,
  type KubeObject,
  observedGeneration,
  type ObjectOf,
} from "@butler/resource";
import { z } from "zod";

/** A kind with one child and a status: the least that a controller does. */
export const Widget = defineResource({
  group: "bench.butlerlabs.dev",
  version: "v1alpha1",
  kind: "Widget",
  scope: "Namespaced",
  doc: "Widget is an object to measure the runtime with.",
  spec: z.object({ size: int32().describe("A number that is copied to the child.") }),
  status: z.object({
    conditions: conditions("Ready"),
    observedGeneration: observedGeneration(),
    size: int32().optional().describe("The number as copied."),
  }),
  example: {},
});
export type Widget = ObjectOf<typeof Widget>;

/** The child of a widget. */
export function childOf({ metadata, spec }: Widget): KubeObject {
  const { name, namespace } = metadata;
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace },
    data: { size: String(spec.size) },
  };
  return object as KubeObject;
}

/** Copies the number to the child and reports it: two writes for a new widget. */
export const widgetController = defineController<typeof Widget, Widget>({
  name: "widget",
  primary: Widget,
  owns: [{ kind: builtinKinds.ConfigMap }],
  concurrency: 8,
  observe: ({ primary }) => primary,
  plan: (widget) => ({
    finalizer: "none",
    apply: [childOf(widget)],
    status: { size: widget.spec.size },
    conditions: [holds("Ready", "Copied", "the number is in the child")],
  }),
  perform: {},
});

/** A widget as a user would write it. */
export function aWidget(namespace: string, name: string, size = 1): KubeObject {
  return {
    apiVersion: Widget.apiVersion,
    kind: Widget.kind,
    metadata: { name, namespace },
    spec: { size },
  } as KubeObject;
}
