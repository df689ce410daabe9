/**
 * The certificate library asks a dependency container for its algorithms, and the container refuses to load without
 * the metadata functions of `Reflect`. It stores nothing but constructor facts there, so three functions over a weak
 * map are enough. A real polyfill that is loaded already stays in place.
 */
type Key = string | symbol;

interface MetadataReflect {
  defineMetadata?: (key: Key, value: unknown, target: object) => void;
  getOwnMetadata?: (key: Key, target: object) => unknown;
  getMetadata?: (key: Key, target: object) => unknown;
}

function installMetadata(reflect: MetadataReflect): void {
  if (reflect.getMetadata !== undefined) return;
  const metadata = new WeakMap<object, Map<Key, unknown>>();
  const getOwn = (key: Key, target: object): unknown => metadata.get(target)?.get(key);
  reflect.defineMetadata = (key, value, target) => {
    metadata.set(target, (metadata.get(target) ?? new Map<Key, unknown>()).set(key, value));
  };
  reflect.getOwnMetadata = getOwn;
  reflect.getMetadata = (key, target) => {
    for (let owner: object | null = target; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
      const value = getOwn(key, owner);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

installMetadata(Reflect as MetadataReflect);
