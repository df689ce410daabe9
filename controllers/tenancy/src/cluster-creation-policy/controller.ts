import { ClusterCreationPolicy, Team } from "@butler/api";
import { defineController, via } from "@butler/controller";
import { keyOf } from "@butler/resource";
import { targetOf, teamNameOf } from "./conflicts.ts";
import { byTarget, observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";

const byTeam = "policy-team";

/** Reports whether each policy is in force: its team exists and no other policy conflicts with it. */
export const clusterCreationPolicyController = defineController<typeof ClusterCreationPolicy, Observed>({
  name: "cluster-creation-policy",
  primary: ClusterCreationPolicy,
  watches: [
    via(Team, ({ metadata }, read) => read.byIndex(ClusterCreationPolicy, byTeam, metadata.name).map(keyOf)),
    // A change to one policy may conflict with others.
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
