import type { Drift, Inspection } from "@butler/object-health";
import type { Blocker } from "@butler/resource";
import type { Revision } from "./situation.ts";

/** Observed state of a release. */
export interface ReleaseView {
  readonly revisions: readonly Revision[];
  /** Since when the newest revision has been known to be in the making; in milliseconds. */
  readonly pendingSinceMs: number | undefined;
  readonly inspection: Inspection | undefined;
  readonly drift: readonly Drift[] | undefined;
}

/** Why the release could not be inspected. */
export interface LookProblem extends Blocker {
  /** Whether the cluster is unreachable, or its answer cannot be read. */
  readonly reason: "TenantUnreachable" | "LookFailed";
}

/** Result of an inspection: what is known and when the next one is due, or why nothing is known. */
export type Observation =
  { readonly view: ReleaseView; readonly nextLookMs: number } | { readonly problem: LookProblem };

const nothing: ReleaseView = { revisions: [], pendingSinceMs: undefined, inspection: undefined, drift: undefined };

/** What is known; empty when the release could not be inspected. */
export function viewIn(observation: Observation | undefined): ReleaseView {
  return observation !== undefined && "view" in observation ? observation.view : nothing;
}

/** Why the release could not be inspected; undefined when it was. */
export function problemIn(observation: Observation | undefined): LookProblem | undefined {
  return observation !== undefined && "problem" in observation ? observation.problem : undefined;
}

/** When the next inspection is due; undefined when there was none. */
export function nextLookIn(observation: Observation | undefined): number | undefined {
  return observation !== undefined && "view" in observation ? observation.nextLookMs : undefined;
}
