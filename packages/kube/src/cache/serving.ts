import { type Kind, kindId } from "@butler/resource";
import { describeError } from "@butler/std";

/**
 * Whether the API server serves the kind of a cache: `unknown` until it has responded. A CRD may be deleted and
 * recreated while a process runs.
 */
export type Serving = "unknown" | "served" | "absent";

/** The state of a cache, as far as readiness depends on it. */
export interface CacheState {
  readonly kind: Kind;
  /** Whether the process works without this kind. */
  readonly isOptional: boolean;
  readonly serving: Serving;
  readonly consecutiveFailures: number;
  readonly lastError: unknown;
}

/** Fewer failures in a row are routine, such as a restart of the API server. */
const toleratedFailures = 4;

/** Why a cache keeps its process from being ready; undefined when it does not. An optional kind never does. */
export function cacheFault(state: CacheState): string | undefined {
  const { isOptional, serving, consecutiveFailures, lastError } = state;
  const name = kindId(state.kind);
  if (isOptional) return undefined;
  if (serving === "absent") return `${name} is not served: install its CustomResourceDefinition`;
  if (serving === "unknown") return `waiting for the first list of ${name}${reasonOf(lastError)}`;
  if (consecutiveFailures <= toleratedFailures) return undefined;
  return `watch of ${name} failed ${consecutiveFailures} times${reasonOf(lastError)}`;
}

function reasonOf(error: unknown): string {
  return error === undefined ? "" : `: ${describeError(error)}`;
}

/**
 * Whether decisions may be based on a cache. That a kind is absent does not mean that its objects never existed: a
 * machine whose CRD was deleted may still run.
 */
export function isUsable({ isOptional, serving }: Pick<CacheState, "isOptional" | "serving">): boolean {
  return serving === "served" || (serving === "unknown" && !isOptional);
}
