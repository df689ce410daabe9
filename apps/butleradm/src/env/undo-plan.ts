import type { TenantCluster } from "@butler/api";
import { keyOf, keyText } from "@butler/resource";
import type { Move } from "./journal.ts";
import { environmentOf } from "./migration-plan.ts";

/** The undo decision for a cluster. Only `back` changes anything. */
export type UndoDecision =
  | { readonly state: "back"; readonly from: string; readonly to: string | undefined }
  /** It is already in its previous environment. */
  | { readonly state: "there" }
  /** It was deleted, or recreated under the same name. */
  | { readonly state: "gone" }
  /** Another client has moved it since. */
  | { readonly state: "changed"; readonly is: string | undefined };

/** A cluster of an undo file. */
export interface PlannedUndo {
  readonly cluster: string;
  readonly uid: string;
  /** Whether the cluster already had the annotation that allows moving it. */
  readonly marked: boolean;
  readonly decision: UndoDecision;
}

/** Plans the undo of a migration, last move first. A cluster that was moved twice returns to its first environment. */
export function planUndo(moves: readonly Move[], clusters: readonly TenantCluster[]): PlannedUndo[] {
  const byUid = new Map<string, Move[]>();
  for (const move of moves) byUid.set(move.uid, [...(byUid.get(move.uid) ?? []), move]);
  return [...byUid.entries()]
    .flatMap(([uid, own]) => {
      const [first] = own;
      return first === undefined ? [] : [{ uid, own, first }];
    })
    .toReversed()
    .map(({ uid, own, first }) => {
      const current = clusters.find((cluster) => cluster.metadata.uid === uid);
      const { cluster, marked } = first;
      return { cluster, uid, marked, decision: decideUndo(current, { own, first }) };
    });
}

function decideUndo(
  current: TenantCluster | undefined,
  { own, first }: { readonly own: readonly Move[]; readonly first: Move },
): UndoDecision {
  if (current === undefined || keyText(keyOf(current)) !== first.cluster) return { state: "gone" };
  const is = environmentOf(current);
  if (is === (first.from ?? undefined)) return { state: "there" };
  const isOurs = is !== undefined && own.some(({ to }) => to === is);
  return isOurs ? { state: "back", from: is, to: first.from ?? undefined } : { state: "changed", is };
}
