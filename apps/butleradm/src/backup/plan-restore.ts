import { TenantCluster } from "@butler/api";
import { isBeingDeleted, type KubeObject } from "@butler/resource";
import { deepEqual, isRecord } from "@butler/std";
import { idOf } from "./order.ts";
import { portable, type PortableObject } from "./portable.ts";

/** What becomes of one object of a backup. */
export type RestoreStep =
  | { readonly action: "create"; readonly object: PortableObject }
  | { readonly action: "unchanged"; readonly object: PortableObject }
  | {
      readonly action: "conflict" | "replace";
      readonly object: PortableObject;
      readonly live: KubeObject;
      /** Why it cannot be left as it is, as the end of a sentence. */
      readonly because: string;
    };

/** What is known when a restore is planned. */
export interface RestoreInput {
  readonly objects: readonly PortableObject[];
  /** What is in the cluster, by `idOf`. */
  readonly live: ReadonlyMap<string, KubeObject>;
  readonly createdAt: string;
  /** Whether what is there and differs gives way. */
  readonly overwrite: boolean;
  /** Whether tenant clusters are made without being built. */
  readonly paused: boolean;
}

/** Decides what to do with each object of a backup, in its order. Nothing that is there gives way unless asked for. */
export function planRestore(input: RestoreInput): RestoreStep[] {
  return input.objects.map((kept) => {
    const live = input.live.get(idOf(kept));
    const object = input.paused ? pausedForm(kept) : kept;
    if (live === undefined) return { action: "create", object };
    if (isBeingDeleted(live)) return { action: "conflict", object, live, because: "it is being deleted" };
    if (isSame(portable(live), kept) || isSame(portable(live), object)) return { action: "unchanged", object };
    // A namespace belongs to whoever made it; that it is there is all that is wanted.
    if (kept.kind === "Namespace") return { action: "unchanged", object };
    const because = reasonOf(live, kept, input.createdAt);
    return { action: input.overwrite ? "replace" : "conflict", object, live, because };
  });
}

function pausedForm(object: PortableObject): PortableObject {
  if (object.kind !== TenantCluster.kind || !isRecord(object["spec"])) return object;
  return { ...object, spec: { ...object["spec"], paused: true } };
}

/** Who owns an object, and what is left of its status, is no reason to write it. */
function isSame(left: PortableObject, right: PortableObject): boolean {
  const body = ({ owners: _owners, status: _status, ...rest }: PortableObject): unknown => rest;
  return deepEqual(body(left), body(right));
}

function reasonOf(live: KubeObject, kept: PortableObject, createdAt: string): string {
  const changed = lastChange(live);
  const age =
    changed !== undefined && changed > Date.parse(createdAt) ? "it was changed after the backup" : "it differs";
  const paths = [...differences(portable(live), kept, "")].filter((path) => !/^(owners|status)\b/.test(path));
  const named = paths.slice(0, 4).join(", ");
  return `${age}: ${named}${paths.length > 4 ? ` and ${paths.length - 4} more` : ""}`;
}

/** When somebody last changed what is wanted of an object. */
function lastChange({ metadata }: KubeObject): number | undefined {
  const times = (metadata.managedFields ?? []).flatMap((entry) => {
    if (!isRecord(entry) || entry["subresource"] === "status") return [];
    const time = Date.parse(String(entry["time"]));
    return Number.isNaN(time) ? [] : [time];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The paths at which two values differ. No values: they may be secret. */
function* differences(left: unknown, right: unknown, path: string): Generator<string> {
  if (deepEqual(left, right)) return;
  if (!isRecord(left) || !isRecord(right)) {
    yield path;
    return;
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    yield* differences(left[key], right[key], path === "" ? key : `${path}.${key}`);
  }
}
