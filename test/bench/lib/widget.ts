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

const benchKind = {
  group: "bench.butlerlabs.dev",
  version: "v1alpha1",
  scope: "Namespaced",
  doc: "An object to measure the runtime with.",
  spec: z.object({ size: int32().describe("A number that is copied to the child.") }),
  status: z.object({
    conditions: conditions("Ready"),
    observedGeneration: observedGeneration(),
    size: int32().optional().describe("The number as copied."),
  }),
  example: {},
} as const;

/** A kind with one child and a status: the minimum for a controller. */
export const Widget = defineResource({ ...benchKind, kind: "Widget" });
export type Widget = ObjectOf<typeof Widget>;

/** The same kind again for the baseline loop, so that the runtime does not observe its objects. */
export const BareWidget = defineResource({ ...benchKind, kind: "BareWidget" });

/** Either of the two. */
export type BenchKind = typeof Widget;

/** Namespaces of the objects of each side. */
export const namespaces = { ours: "ours", bare: "bare" } as const;

/** The child of a widget. */
export function childOf({ metadata, spec }: Widget): KubeObject {
  const { name, namespace } = metadata;
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace },
    data: { size: String(spec.size) },
  };
  return object;
}

/** Copies the number to the child and reports it: two writes for a new widget. */
export const widgetController = defineController<typeof Widget, Widget>({
  name: "widget",
  primary: Widget,
  owns: [{ kind: builtinKinds.ConfigMap, scope: { namespace: namespaces.ours } }],
  concurrency: 8,
  observe: ({ primary }) => primary,
  plan: (widget) => ({
    finalizer: "none",
    apply: [childOf(widget)],
    status: { size: widget.spec.size },
    conditions: [holds("Ready", "Copied", "number copied to the child")],
  }),
  perform: {},
});

/** A widget as a user would write it. */
export function aWidget(resource: BenchKind, name: string): KubeObject {
  const { apiVersion, kind } = resource;
  const namespace = resource === BareWidget ? namespaces.bare : namespaces.ours;
  return { apiVersion, kind, metadata: { name, namespace }, spec: { size: 1 } } as KubeObject;
}
