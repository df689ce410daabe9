import type { KubeClient } from "@butler/kube";
import { isBeingDeleted, type Kind, type KubeObject } from "@butler/resource";
import { ButlerError, Conflict, Forbidden, InvalidInput, NotFound, Unavailable } from "@butler/std";
import type { PlacedObject } from "../inspect/placed-object.ts";
import { brief } from "../objects/fields.ts";
import { asHelmApplies } from "./tolerated.ts";

/** The name under which Helm states fields. */
const helmsManager = "helm";

/** The part of a client that looking for drift uses. */
export type DriftClient = Pick<KubeClient, "find" | "list" | "apply" | "discover">;

/** What applying an object again would do. */
export type DryRun =
  | { readonly outcome: "missing" }
  | { readonly outcome: "leaving" }
  | { readonly outcome: "refused"; readonly message: string }
  /** The server cannot tell: an admission webhook does not support dry runs, or does not respond. */
  | { readonly outcome: "unknown" }
  | { readonly outcome: "applied"; readonly live: KubeObject; readonly applied: KubeObject };

/** Applies an object as a dry run, and returns it before and after. */
export async function dryRun(
  client: DriftClient,
  { wanted, key, kind }: PlacedObject & { readonly kind: Kind },
  signal?: AbortSignal,
): Promise<DryRun> {
  for (let attempt = 1; ; attempt++) {
    const live = await client.find(kind, key, signal);
    if (live === undefined) return { outcome: "missing" };
    if (isBeingDeleted(live)) return { outcome: "leaving" };
    const applied = await applyAgain(client, { kind, object: asHelmApplies(wanted.object, live), signal });
    if ("outcome" in applied) return applied;
    // The object changed between the read and the dry run: the difference may be that change rather than drift.
    const isSameMoment = applied.object.metadata.resourceVersion === live.metadata.resourceVersion;
    if (isSameMoment || attempt === 3) {
      return isSameMoment ? { outcome: "applied", live, applied: applied.object } : { outcome: "unknown" };
    }
  }
}

interface Application {
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly signal: AbortSignal | undefined;
}

async function applyAgain(
  client: DriftClient,
  { kind, object, signal }: Application,
): Promise<{ readonly object: KubeObject } | DryRun> {
  try {
    return {
      object: await client.apply(kind, object, { fieldManager: helmsManager, force: true, dryRun: true, signal }),
    };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** What a failed dry run says about the object; rethrows when it says nothing about it. */
function outcomeOf(error: unknown): DryRun {
  if (error instanceof NotFound) return { outcome: "missing" };
  if (!(error instanceof ButlerError)) throw error;
  if (/does not support dry run/.test(error.message)) return { outcome: "unknown" };
  if (error instanceof Unavailable && error.details["reason"] === "InternalError") return { outcome: "unknown" };
  const isRefusal = error instanceof InvalidInput || error instanceof Conflict || error instanceof Forbidden;
  if (!isRefusal) throw error;
  return { outcome: "refused", message: refusalText(error) };
}

/** Where the server starts to quote the rejected value; some messages give the reason after it. */
const quoting = /(Invalid value|Too long|Unsupported value|Duplicate value|Not found|Too many): /;

/** The server's message without the values that it quotes, which may be secret. */
export function refusalText(error: Error): string {
  const message = error.message.replace(/^apply \S+ \S+: /, "");
  const quoted = quoting.exec(message);
  if (quoted === null) return brief(message);
  const [, sort = ""] = quoted;
  const start = `${message.slice(0, quoted.index)}${sort.toLowerCase()}`;
  const explanation = message.lastIndexOf(": ") + 2;
  const isExplained = sort === "Invalid value" && explanation > quoted.index + quoted[0].length;
  return brief(isExplained ? `${start}, ${message.slice(explanation)}` : start);
}
