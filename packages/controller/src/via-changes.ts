import { type Condition, keyOf, keyText, type KubeObject, type ObjectOf, type Resource } from "@butler/resource";
import { type CacheReader, type SecondaryWatch, via } from "./define-controller.ts";

type Mapping<R extends Resource> = (object: ObjectOf<R>, read: CacheReader) => ReturnType<SecondaryWatch["map"]>;

/**
 * Maps changes to the primary objects they affect, where only some changes of an object matter: those after which `of`
 * returns another text. Creation and deletion always count. Counters in the status of a shared object would otherwise
 * enqueue everything that refers to it, each time one of them changes.
 */
export function viaChanges<R extends Resource>(
  kind: R,
  { of, map }: { readonly of: (object: ObjectOf<R>) => string; readonly map: Mapping<R> },
): SecondaryWatch {
  // Each runtime has its own reader, and its own view of what has changed.
  const known = new WeakMap<CacheReader, Map<string, string>>();
  const isNews = (object: KubeObject, read: CacheReader): boolean => {
    const seen = known.get(read) ?? new Map<string, string>();
    known.set(read, seen);
    const key = keyText(keyOf(object));
    // This is also called with the previous object of an update: only the current one counts.
    const current = read.get(kind, keyOf(object));
    if (current === undefined) return seen.delete(key) || true;
    const text = `${current.metadata.uid ?? ""} ${of(current as ObjectOf<R>)}`;
    if (seen.get(key) === text) return false;
    seen.set(key, text);
    return true;
  };
  return via<Resource>(kind, (object, read) => (isNews(object, read) ? map(object as ObjectOf<R>, read) : []));
}

/** The same for changes of an object's spec. */
export function viaSpec<R extends Resource>(kind: R, map: Mapping<R>): SecondaryWatch {
  return viaChanges(kind, { of: ({ metadata }) => String(metadata.generation), map });
}

/** An object's generation and the status of its conditions, without their messages and the rest of its status. */
export function specAndConditions(
  object: KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] | undefined } | undefined },
): string {
  const conditions = (object.status?.conditions ?? []).map(({ type, status }) => `${type}=${status}`).toSorted();
  return [object.metadata.generation, ...conditions].join(" ");
}
