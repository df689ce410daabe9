/** Computes a value once per object, and caches it for as long as the object lives. Objects are immutable. */
export function remembered<T extends object, V>(of: (object: T) => V): (object: T) => V {
  const known = new WeakMap<T, { readonly value: V }>();
  return (object) => {
    const found = known.get(object);
    if (found !== undefined) return found.value;
    const value = of(object);
    known.set(object, { value });
    return value;
  };
}
