import { type Plan, holds, lacks } from "@butler/controller";
import { isBeingDeleted, type KubeObject } from "@butler/resource";
import type { DirectoryEntry } from "./directory.ts";
import type { Greeting } from "./greeting.ts";

/** Input of the decision. */
export interface Observed {
  readonly greeting: Greeting;
  /** The directory's entry for the greeting; undefined when it has none. */
  readonly entry: DirectoryEntry | undefined;
}

export type DemoEffect =
  | { readonly type: "reserve"; readonly name: string; readonly owner: string }
  | { readonly type: "publish"; readonly name: string; readonly text: string }
  | { readonly type: "withdraw"; readonly name: string };

/** Decides the next changes of a greeting. */
export function plan({ greeting, entry }: Observed): Plan<DemoEffect> {
  const name = directoryName(greeting);
  if (isBeingDeleted(greeting)) {
    return entry === undefined
      ? { finalizer: "release" }
      : { finalizer: "hold", effects: [{ type: "withdraw", name }] };
  }
  const { text } = greeting.spec;
  const isPublished = entry?.text === text;
  return {
    finalizer: "hold",
    apply: children(greeting),
    effects: [
      ...(entry === undefined ? [{ type: "reserve" as const, name, owner: name }] : []),
      ...(isPublished ? [] : [{ type: "publish" as const, name, text }]),
    ],
    status: { publishedText: entry?.text },
    conditions: [
      isPublished
        ? holds("Ready", "Published", "text published in the directory")
        : lacks("Ready", "Publishing", "publishing the text in the directory"),
    ],
  };
}

/** The name of a greeting in the directory. */
export function directoryName({ metadata }: Greeting): string {
  return `${metadata.namespace ?? ""}.${metadata.name}`;
}

function children({ metadata, spec }: Greeting): KubeObject[] {
  const { name, namespace } = metadata;
  return [
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `${name}-text`, namespace },
      data: { text: spec.text },
    } as KubeObject,
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: `${name}-access`, namespace },
      type: "Opaque",
      stringData: { user: directoryName({ metadata, spec } as Greeting) },
    } as KubeObject,
  ];
}
