import { TenantCluster } from "@butler/api";
import { isBeingDeleted, type KubeObject } from "@butler/resource";
import { deepEqual, isRecord, nameSome } from "@butler/std";
import { idOf } from "./order.ts";
import { portable, type PortableObject } from "./portable.ts";

/** The action for one object of a backup. */
export type RestoreStep =
  | { readonly action: "create"; readonly object: PortableObject }
  | { readonly action: "unchanged"; readonly object: PortableObject }
  | {
      readonly action: "conflict" | "replace";
      readonly object: PortableObject;
      readonly live: KubeObject;
      /** Why it conflicts or is replaced, as the end of a sentence. */
      readonly because: string;
    };

/** Input of a restore plan. */
export interface RestoreInput {
  readonly objects: readonly PortableObject[];
  /** Existing objects in the cluster, by `idOf`. */
  readonly live: ReadonlyMap<string, KubeObject>;
  readonly createdAt: string;
  /** Whether existing objects that differ are replaced. */
  readonly overwrite: boolean;
  /** Whether tenant clusters are created paused. */
  readonly paused: boolean;
}

/** Plans the action for each object of a backup, in order. Existing objects are only replaced on request. */
export function planRestore(input: RestoreInput): RestoreStep[] {
  return input.objects.map((kept) => {
    const live = input.live.get(idOf(kept));
    const object = input.paused ? pausedForm(kept) : kept;
    if (live === undefined) return { action: "create", object };
    if (isBeingDeleted(live)) return { action: "conflict", object, live, because: "being deleted" };
    if (isSame(portable(live), kept) || isSame(portable(live), object)) return { action: "unchanged", object };
    // A namespace belongs to its creator; it only has to exist.
    if (kept.kind === "Namespace") return { action: "unchanged", object };
    const because = reasonOf(live, kept, input.createdAt);
    return { action: input.overwrite ? "replace" : "conflict", object, live, because };
  });
}

function pausedForm(object: PortableObject): PortableObject {
  if (object.kind !== TenantCluster.kind || !isRecord(object["spec"])) return object;
  return { ...object, spec: { ...object["spec"], paused: true } };
}

/** Differences in owners and status do not require an update. */
function isSame(left: PortableObject, right: PortableObject): boolean {
  const body = ({ owners: _owners, status: _status, ...rest }: PortableObject): unknown => rest;
  return deepEqual(body(left), body(right));
}

function reasonOf(live: KubeObject, kept: PortableObject, createdAt: string): string {
  const changed = lastChange(live);
  const age = changed !== undefined && changed > Date.parse(createdAt) ? "changed after the backup" : "differs";
  const paths = [...differences(portable(live), kept, "")].filter((path) => !/^(owners|status)\b/.test(path));
  return `${age}: ${nameSome(paths, 4)}`;
}

/** Time of the last change to an object, except to its status. */
function lastChange({ metadata }: KubeObject): number | undefined {
  const times = (metadata.managedFields ?? []).flatMap((entry) => {
    if (!isRecord(entry) || entry["subresource"] === "status") return [];
    const time = Date.parse(String(entry["time"]));
    return Number.isNaN(time) ? [] : [time];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The paths at which two values differ, without the values, which may be secret. */
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
