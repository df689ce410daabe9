import { ClusterCreationPolicy, Team } from "@butler/api";
import { defineController, via } from "@butler/controller";
import { keyOf } from "@butler/resource";
import { targetOf, teamNameOf } from "./conflicts.ts";
import { byTarget, observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";

const byTeam = "policy-team";

/** Says of each policy whether it is in force: whether its team exists, and no other policy contradicts it. */
export const clusterCreationPolicyController = defineController<typeof ClusterCreationPolicy, Observed>({
  name: "cluster-creation-policy",
  primary: ClusterCreationPolicy,
  watches: [
    via(Team, ({ metadata }, read) => read.byIndex(ClusterCreationPolicy, byTeam, metadata.name).map(keyOf)),
    // What one policy says may be a conflict for others.
    via(ClusterCreationPolicy, ({ spec }, read) =>
      read.byIndex(ClusterCreationPolicy, byTarget, targetOf(spec)).map(keyOf),
    ),
  ],
  indexes: [
    { kind: ClusterCreationPolicy, name: byTarget, of: (object) => [targetOf((object as ClusterCreationPolicy).spec)] },
    { kind: ClusterCreationPolicy, name: byTeam, of: (object) => teamsOf(object as ClusterCreationPolicy) },
  ],
  observe,
  plan,
  perform: {},
});

function teamsOf({ spec }: ClusterCreationPolicy): string[] {
  const name = teamNameOf(spec);
  return name === undefined ? [] : [name];
}
