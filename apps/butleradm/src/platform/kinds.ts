import { buildCrd, kindId, type DynamicObject, type Resource } from "@butler/resource";
import { isRecord } from "@butler/std";

/** Butler's kinds in a cluster compared with those of this version. */
export interface KindsState {
  readonly wanted: number;
  readonly missing: readonly string[];
  /** Installed, but different from this version. */
  readonly different: readonly string[];
  /** Installed, but not served by the API server. */
  readonly notServed: readonly string[];
}

/** Compares the kinds of a cluster with those of this version. */
export function kindsState(resources: readonly Resource[], definitions: readonly DynamicObject[]): KindsState {
  const there = new Map(definitions.map((definition) => [definition.metadata.name, definition]));
  const found = resources.flatMap((resource) => {
    const live = there.get(kindId(resource));
    return live === undefined ? [] : [{ resource, live }];
  });
  return {
    wanted: resources.length,
    missing: resources.map(kindId).filter((name) => !there.has(name)),
    different: found
      .filter(({ resource, live }) => !holds(live["spec"], buildCrd(resource).spec))
      .map(({ resource }) => kindId(resource)),
    notServed: found.filter(({ live }) => !isServed(live)).map(({ resource }) => kindId(resource)),
  };
}

/** Whether the live value contains everything wanted; the API server adds defaults. */
function holds(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(live) && live.length === wanted.length && wanted.every((item, at) => holds(live[at], item));
  }
  if (!isRecord(wanted)) return Object.is(live, wanted);
  // The API server also omits empty values.
  if (live === undefined && Object.keys(wanted).length === 0) return true;
  return (
    isRecord(live) && Object.entries(wanted).every(([key, value]) => value === undefined || holds(live[key], value))
  );
}

function isServed({ status }: DynamicObject): boolean {
  const conditions: unknown = isRecord(status) ? status["conditions"] : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some((each) => isRecord(each) && each["type"] === "Established" && each["status"] === "True")
  );
}
