import { type Condition, keyOf, keyText, type KubeObject, type ObjectOf, type Resource } from "@butler/resource";
import { type CacheReader, type SecondaryWatch, via } from "./define-controller.ts";

type Mapping<R extends Resource> = (object: ObjectOf<R>, read: CacheReader) => ReturnType<SecondaryWatch["map"]>;

/**
 * Says which primary objects a change concerns, where only some changes of an object matter: those after which `of` gives
 * another text. That an object came or went always counts. Counts in the status of a shared object would otherwise bring
 * everything round that refers to it, each time that one of them comes.
 */
export function viaChanges<R extends Resource>(
  kind: R,
  { of, map }: { readonly of: (object: ObjectOf<R>) => string; readonly map: Mapping<R> },
): SecondaryWatch {
  // Each runtime has a reader of its own, and its own view of what is news.
  const known = new WeakMap<CacheReader, Map<string, string>>();
  const isNews = (object: KubeObject, read: CacheReader): boolean => {
    const seen = known.get(read) ?? new Map<string, string>();
    known.set(read, seen);
    const key = keyText(keyOf(object));
    // Of a change, the object as it was is asked about, too: what counts is what there is now.
    const current = read.get(kind, keyOf(object));
    if (current === undefined) return seen.delete(key) || true;
    const text = `${current.metadata.uid ?? ""} ${of(current as ObjectOf<R>)}`;
    if (seen.get(key) === text) return false;
    seen.set(key, text);
    return true;
  };
  return via<Resource>(kind, (object, read) => (isNews(object, read) ? map(object as ObjectOf<R>, read) : []));
}

/** The same for changes of what an object asks for. */
export function viaSpec<R extends Resource>(kind: R, map: Mapping<R>): SecondaryWatch {
  return viaChanges(kind, { of: ({ metadata }) => String(metadata.generation), map });
}

/** What an object asks for and which of its conditions hold, without what they say and what else is in its status. */
export function specAndConditions(
  object: KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] | undefined } | undefined },
): string {
  const conditions = (object.status?.conditions ?? []).map(({ type, status }) => `${type}=${status}`).toSorted();
  return [object.metadata.generation, ...conditions].join(" ");
}
