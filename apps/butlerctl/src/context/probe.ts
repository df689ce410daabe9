import { TenantCluster } from "@butler/api";
import type { Terminal } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { describeError, Forbidden, NotFound, Unauthenticated } from "@butler/std";
import type { ContextEntry } from "./kubeconfig-contexts.ts";

/** What a context leads to. */
export type Destination = "butler" | "other" | "refused" | "away" | "not asked";

/** A context and what is at its end. */
export interface ProbedContext extends ContextEntry {
  readonly leadsTo: Destination;
  /** Why nothing better is known, as a sentence; empty when all is. */
  readonly note: string;
}

const patienceMs = 5_000;

/** Asks the API server of a context whether Butler is installed there. */
export async function probe(terminal: Terminal, options: SessionOptions, entry: ContextEntry): Promise<ProbedContext> {
  const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(patienceMs)]);
  try {
    const path = `/apis/${TenantCluster.group}`;
    await withSession(terminal, { ...options, context: entry.name }, ({ transport }) =>
      transport.json({ method: "GET", path, signal, action: "look for Butler" }),
    );
    return { ...entry, leadsTo: "butler", note: "" };
  } catch (error) {
    terminal.signal.throwIfAborted();
    return { ...entry, ...verdictOf(error) };
  }
}

/** What an answer that is none of Butler's says about the place. */
export function verdictOf(error: unknown): Pick<ProbedContext, "leadsTo" | "note"> {
  if (error instanceof NotFound) return { leadsTo: "other", note: "" };
  const note = describeError(error);
  const isRefused = error instanceof Unauthenticated || error instanceof Forbidden;
  return { leadsTo: isRefused ? "refused" : "away", note };
}

/** Whether a context is worth showing to somebody who looks for platforms. */
export function isPlatform({ leadsTo, signedInTo }: Pick<ProbedContext, "leadsTo" | "signedInTo">): boolean {
  return leadsTo === "butler" || signedInTo !== undefined;
}
