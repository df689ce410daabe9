import type { TenantCluster } from "@butler/api";
import { keyOf, keyText } from "@butler/resource";
import type { Move } from "./journal.ts";
import { environmentOf } from "./migration-plan.ts";

/** What is to become of a cluster that a migration has moved. Only `back` changes anything. */
export type UndoDecision =
  | { readonly state: "back"; readonly from: string; readonly to: string | undefined }
  /** It is where it was before. */
  | { readonly state: "there" }
  /** It is gone, or another one has its name. */
  | { readonly state: "gone" }
  /** Somebody has moved it since. */
  | { readonly state: "changed"; readonly is: string | undefined };

/** A cluster of an undo file. */
export interface PlannedUndo {
  readonly cluster: string;
  readonly uid: string;
  /** Whether somebody else had marked it as one that may be moved. */
  readonly marked: boolean;
  readonly decision: UndoDecision;
}

/** Decides what takes back a migration, the last move first. What was moved twice goes back to where it was first. */
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
