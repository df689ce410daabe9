import { ClusterCreationPolicy, Team } from "@butler/api";
import type { ObserveContext } from "@butler/controller";
import { targetOf, teamNameOf } from "./conflicts.ts";
import type { Observed } from "./plan.ts";

/** The index of policies by target. */
export const byTarget = "policy-target";

/** Reads the input of the plan. */
export function observe({ primary, read }: ObserveContext<typeof ClusterCreationPolicy, object>): Observed {
  const team = teamNameOf(primary.spec);
  return {
    policy: primary,
    others: read.byIndex(ClusterCreationPolicy, byTarget, targetOf(primary.spec)),
    team: team === undefined ? undefined : read.get(Team, { name: team }),
  };
}
