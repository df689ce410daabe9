import { createCluster, enableAddon, getTeam, getTeamUsage, listClusters } from "@butler/contract";
import { useToast } from "@butler/ui";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { errorFacts } from "../../data/error-facts.ts";
import { useRouteMutation } from "../../data/route-query.ts";
import type { Draft } from "./draft.ts";
import { requestOf } from "./request.ts";

/** Creates the cluster, enables its add-ons and opens it. A rejected add-on does not undo the creation. */
export function useCreation({ team, onMade }: { readonly team: string; readonly onMade: () => void }) {
  const say = useToast();
  const navigate = useNavigate();
  const create = useRouteMutation(createCluster, { refreshes: [listClusters, getTeamUsage, getTeam] });
  const enable = useRouteMutation(enableAddon);
  const [isMaking, setMaking] = useState(false);
  const perform = async (draft: Draft): Promise<void> => {
    setMaking(true);
    try {
      await make(draft);
    } finally {
      setMaking(false);
    }
  };
  const make = async (draft: Draft): Promise<void> => {
    const { metadata } = await create.mutateAsync({ body: requestOf(draft, { name: team }) });
    const params = { namespace: metadata.namespace ?? "", name: metadata.name };
    const refused = await Promise.all(
      draft.addons.map((addon) =>
        enable.mutateAsync({ params, body: { addon } }).then(
          () => [],
          (error: unknown) => [`${addon}: ${errorFacts(error).detail}`],
        ),
      ),
    );
    say({ kind: "done", title: `Creating ${metadata.name}` });
    for (const detail of refused.flat()) say({ kind: "failed", title: "Could not enable an add-on", detail });
    onMade();
    await navigate({ to: "/t/$team/clusters/$namespace/$name", params: { team, ...params } });
  };
  return { perform, error: create.error, isMaking };
}
