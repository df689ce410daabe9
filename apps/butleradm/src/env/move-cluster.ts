import { annotations, TenantCluster } from "@butler/api";
import { refusalReasons } from "@butler/changes";
import type { Session } from "@butler/cli-session";
import { changeField, decideMove, type JsonPatch } from "@butler/cluster-operations";
import { blockerText, parseKeyText } from "@butler/resource";
import { Conflict } from "@butler/std";
import { fieldManager } from "../common/writing.ts";
import { environmentOf, isMarked } from "./migration-plan.ts";

/** A cluster to move, as it was at the time of the decision. */
export interface MoveRequest {
  /** As namespace/name. */
  readonly cluster: string;
  readonly uid: string;
  readonly from: string | undefined;
  /** Undefined removes it from its environment. */
  readonly to: string | undefined;
  /** Whether the current cluster should still be moved there. */
  readonly isWanted: (current: TenantCluster) => boolean;
}

/** The context of a move. */
export interface MoveWork {
  readonly session: Session;
  readonly dryRun: boolean;
  /** Called with the current cluster just before it is changed. */
  readonly beforehand: (current: TenantCluster) => Promise<void>;
}

/** Result of a move. */
export type MoveOutcome =
  | { readonly state: "moved" }
  | { readonly state: "there" }
  | { readonly state: "gone" }
  | { readonly state: "changed"; readonly is: string | undefined }
  | { readonly state: "refused"; readonly reasons: readonly string[] };

/** Maximum attempts of a move on conflicts. */
const attempts = 8;

/** Moves a cluster, if it is still the same object and in the same environment. */
export async function moveCluster(
  { session, dryRun, beforehand }: MoveWork,
  { cluster, uid, from, to, isWanted }: MoveRequest,
): Promise<MoveOutcome> {
  const { client, signal } = session;
  const key = parseKeyText(cluster);
  for (let attempt = 1; ; attempt++) {
    const current = await client.find(TenantCluster, key, signal);
    if (current?.metadata.uid !== uid) return { state: "gone" };
    const decision = decideMove(current, { to });
    if (decision.state === "unchanged") return { state: "there" };
    const is = environmentOf(current);
    if (is !== from || !isWanted(current)) return { state: "changed", is };
    if (decision.state === "refused") return { state: "refused", reasons: [blockerText(decision.refusal)] };
    await beforehand(current);
    const patch = [...unlessRelabeled(current), ...decision.patch];
    try {
      await client.patch(TenantCluster, key, { type: "json", patch, fieldManager, dryRun, signal });
      return { state: "moved" };
    } catch (error) {
      const reasons = refusalReasons(error);
      if (reasons !== undefined) return { state: "refused", reasons };
      if (!(error instanceof Conflict) || attempt >= attempts) throw error;
    }
  }
}

/** The rules of a migration decide by labels: the patch applies only to the labels that were read. */
function unlessRelabeled(current: TenantCluster): JsonPatch {
  const { labels = null } = current.metadata;
  return [...sameObject(current), { op: "test", path: "/metadata/labels", value: labels }];
}

function sameObject({ metadata }: TenantCluster): JsonPatch {
  return [{ op: "test", path: "/metadata/uid", value: metadata.uid }];
}

/** Removes the annotation that allows moving a cluster. */
export async function unmarkCluster(
  { client, signal }: Session,
  { cluster, uid }: Pick<MoveRequest, "cluster" | "uid">,
): Promise<void> {
  const key = parseKeyText(cluster);
  for (let attempt = 1; ; attempt++) {
    const current = await client.find(TenantCluster, key, signal);
    if (current === undefined || current.metadata.uid !== uid || !isMarked(current)) return;
    const patch = changeField(current, ["metadata", "annotations", annotations.migrationOperation], undefined);
    try {
      await client.patch(TenantCluster, key, {
        type: "json",
        patch: [...sameObject(current), ...patch],
        fieldManager,
        signal,
      });
      return;
    } catch (error) {
      if (!(error instanceof Conflict) || attempt >= attempts) throw error;
    }
  }
}
