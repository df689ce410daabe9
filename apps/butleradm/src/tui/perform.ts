import { TenantAddon, TenantCluster } from "@butler/api";
import { explainError } from "@butler/cli-kit";
import { explainRefusal } from "@butler/changes";
import type { KubeClient } from "@butler/kube";
import { Conflict, NotFound } from "@butler/std";
import type { Change } from "./model/offer.ts";

const kinds = { TenantCluster, TenantAddon } as const;

/** Result of a change, as text. */
export interface Performed {
  readonly isDone: boolean;
  readonly text: string;
}

/** Makes a change. Errors are returned, never thrown. */
export async function perform(
  client: Pick<KubeClient, "patch" | "delete">,
  change: Change,
  signal: AbortSignal,
): Promise<Performed> {
  const { key, how, what, done } = change;
  const kind = kinds[change.kind];
  try {
    if (how.verb === "patch") {
      await client.patch(kind, key, { type: how.type, patch: how.patch, fieldManager: "butleradm", signal });
    } else {
      // By uid, so that an object of the same name created since the question is not deleted.
      await client.delete(kind, key, { uid: how.uid, signal });
    }
    return { isDone: true, text: done };
  } catch (error) {
    if (how.verb === "delete" && error instanceof NotFound)
      return { isDone: true, text: `${key.name} is already deleted.` };
    const isOther = how.verb === "delete" && error instanceof Conflict;
    const explained = isOther
      ? new Conflict(`${key.name} was replaced in the meantime; nothing was deleted`)
      : explainRefusal(what, error);
    return { isDone: false, text: explainError(explained).join(" ").replaceAll(/\s+/g, " ") };
  }
}
