import { TenantCluster } from "@butler/api";
import type { Terminal } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { describeError, Forbidden, NotFound, Unauthenticated } from "@butler/std";
import type { ContextEntry } from "./kubeconfig-contexts.ts";

/** What a context points to. */
export type Destination = "butler" | "other" | "refused" | "away" | "not asked";

/** A context and what it points to. */
export interface ProbedContext extends ContextEntry {
  readonly leadsTo: Destination;
  /** Why the target is unknown, as a sentence; empty when it is known. */
  readonly note: string;
}

const patienceMs = 5_000;

/** Asks the API server of a context whether Butler is installed there. */
export async function probe(terminal: Terminal, options: SessionOptions, entry: ContextEntry): Promise<ProbedContext> {
  const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(patienceMs)]);
  try {
    const path = `/apis/${TenantCluster.group}`;
    await withSession(terminal, { ...options, context: entry.name }, ({ transport }) =>
      transport.json({ method: "GET", path, signal, action: "detect Butler" }),
    );
    return { ...entry, leadsTo: "butler", note: "" };
  } catch (error) {
    terminal.signal.throwIfAborted();
    return { ...entry, ...verdictOf(error) };
  }
}

/** What an error says about the target of a context. */
export function verdictOf(error: unknown): Pick<ProbedContext, "leadsTo" | "note"> {
  if (error instanceof NotFound) return { leadsTo: "other", note: "" };
  const note = describeError(error);
  const isRefused = error instanceof Unauthenticated || error instanceof Forbidden;
  return { leadsTo: isRefused ? "refused" : "away", note };
}

/** Whether a context belongs to a Butler platform, by its target or its sign-in. */
export function isPlatform({ leadsTo, signedInTo }: Pick<ProbedContext, "leadsTo" | "signedInTo">): boolean {
  return leadsTo === "butler" || signedInTo !== undefined;
}
