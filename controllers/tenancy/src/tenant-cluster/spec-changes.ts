import { type CacheReader, type SecondaryWatch, via } from "@butler/controller";
import { keyOf, keyText, type ObjectKey, type ObjectOf, type Resource } from "@butler/resource";

/** What is known of an object whose changes are followed. */
interface Known {
  readonly uid: string | undefined;
  readonly generation: number;
}

/**
 * Says which clusters a change of what an object asks for concerns; that it came or went counts as one. A change of its
 * status concerns none: teams and the platform's settings count clusters there, so that each new cluster would bring all
 * others round. For one controller that runs once.
 */
export function viaSpec<R extends Resource>(
  kind: R,
  map: (object: ObjectOf<R>, read: CacheReader) => readonly ObjectKey[],
): SecondaryWatch {
  const known = new Map<string, Known>();
  const isNews = (object: ObjectOf<R>, read: CacheReader): boolean => {
    const key = keyText(keyOf(object));
    if (read.get(kind, keyOf(object)) === undefined) return known.delete(key) || true;
    const { uid, generation = 0 } = object.metadata;
    const before = known.get(key);
    // Of a change, the object as it was is asked about, too, and after the new one.
    if (before !== undefined && before.uid === uid && before.generation >= generation) return false;
    known.set(key, { uid, generation });
    return true;
  };
  return via<Resource>(kind, (object, read) =>
    isNews(object as ObjectOf<R>, read) ? map(object as ObjectOf<R>, read) : [],
  );
}
