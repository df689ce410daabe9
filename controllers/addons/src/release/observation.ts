import type { Drift, Inspection } from "@butler/readiness";
import type { Revision } from "./situation.ts";

/** What is known of a release. */
export interface ReleaseView {
  readonly revisions: readonly Revision[];
  /** Since when the newest revision has been known to be in the making; in milliseconds. */
  readonly pendingSinceMs: number | undefined;
  readonly inspection: Inspection | undefined;
  readonly drift: readonly Drift[] | undefined;
}

/** Why nobody could look. */
export interface LookProblem {
  /** Whether the cluster does not answer, or what it says cannot be made sense of. */
  readonly reason: "TenantUnreachable" | "LookFailed";
  readonly message: string;
}

/** What became of a look: what is known and in how long the next look is due, or why nothing is known. */
export type Observation =
  { readonly view: ReleaseView; readonly nextLookMs: number } | { readonly problem: LookProblem };

const nothing: ReleaseView = { revisions: [], pendingSinceMs: undefined, inspection: undefined, drift: undefined };

/** What is known; nothing where nobody could look. */
export function viewIn(observation: Observation | undefined): ReleaseView {
  return observation !== undefined && "view" in observation ? observation.view : nothing;
}

/** Why nobody could look; undefined when that is not so. */
export function problemIn(observation: Observation | undefined): LookProblem | undefined {
  return observation !== undefined && "problem" in observation ? observation.problem : undefined;
}

/** In how long the next look is due; undefined where nobody has looked. */
export function nextLookIn(observation: Observation | undefined): number | undefined {
  return observation !== undefined && "view" in observation ? observation.nextLookMs : undefined;
}
