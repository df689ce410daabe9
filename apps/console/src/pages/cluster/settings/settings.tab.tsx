import { scaleCluster } from "@butler/contract";
import { ForbiddenState, Notice } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { environmentOf } from "../../../parts/cluster-facts.ts";
import { mayOperate } from "../../../parts/operating.ts";
import { QueryView } from "../../../parts/query-view.tsx";
import { teamQuery, useMe } from "../../../session/me.ts";
import { refusalOf, rolesOf } from "../../../session/user-roles.ts";
import { useCluster } from "../use-cluster.ts";
import { DeletePanel } from "./delete-panel.tsx";
import { MovePanel } from "./move-panel.tsx";
import { ProtectionPanel } from "./protection-panel.tsx";
import { ScalePanel } from "./scale-panel.tsx";
import { UpgradePanel } from "./upgrade-panel.tsx";

const teamApi = getRouteApi("/signed-in/t/$team");

/** Settings and deletion of a cluster. */
export function SettingsTab() {
  const { team: name } = teamApi.useParams();
  const { cluster, isGone } = useCluster();
  const me = useMe();
  const query = useQuery(teamQuery(name));
  return (
    <QueryView query={query}>
      {(team) => {
        if (!mayOperate({ me, team }, environmentOf(cluster))) {
          return <ForbiddenState sentence={refusalOf(scaleCluster, rolesOf(me, name)) ?? ""} />;
        }
        if (isGone) return <Notice tone="asleep">This cluster was deleted.</Notice>;
        const isGoing = cluster.metadata.deletionTimestamp !== undefined;
        return (
          <div className="b-columns">
            {!isGoing && (
              <>
                <ScalePanel cluster={cluster} team={team} />
                <UpgradePanel cluster={cluster} team={team} />
                <MovePanel cluster={cluster} team={team} />
                <ProtectionPanel cluster={cluster} />
              </>
            )}
            <DeletePanel cluster={cluster} />
          </div>
        );
      }}
    </QueryView>
  );
}
