/** Works something out once for each object, and keeps it for as long as the object is kept. Objects never change. */
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
