import type { Informer } from "@butler/kube";
import { type Kind, kindId } from "@butler/resource";
import { Unavailable } from "@butler/std";
import type { CacheReader } from "./define-controller.ts";

/** Finds the cache of a declared kind; throws for any other. */
export type FindCache = <K extends Kind>(kind: K) => Informer<K>;

/** A reader that maps changes to the objects they affect. The cache of a kind that is not served is empty. */
export function mappingReader(find: FindCache): CacheReader {
  return {
    get: (kind, key) => find(kind).get(key),
    list: (kind) => find(kind).list(),
    byIndex: (kind, index, value) => find(kind).byIndex(index, value),
    isServed: (kind) => find(kind).serving === "served",
  };
}

/**
 * A reader for decisions. It fails for a kind that is not served, or whose optional cache is not filled yet: otherwise a
 * missing CRD would look as if all objects of its kind had been deleted.
 */
export function decisionReader(find: FindCache): CacheReader {
  const usable: FindCache = (kind) => {
    const cache = find(kind);
    if (!cache.isUsable) throw unusable(cache);
    return cache;
  };
  return {
    ...mappingReader(usable),
    isServed: (kind) => {
      const cache = find(kind);
      if (cache.serving === "unknown") throw unusable(cache);
      return cache.serving === "served";
    },
  };
}

function unusable({ kind, serving }: Pick<Informer<Kind>, "kind" | "serving">): Unavailable {
  const name = kindId(kind);
  return serving === "absent"
    ? new Unavailable(`waiting for ${name}, which this cluster does not serve`, {
        hint: "Install its CustomResourceDefinition.",
      })
    : new Unavailable(`waiting for the first list of ${name}`);
}
