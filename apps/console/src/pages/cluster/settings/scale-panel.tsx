import { type PoolSize, poolSizes } from "@butler/api";
import { smallestPool } from "@butler/cluster-operations";
import { getTeamUsage, scaleCluster } from "@butler/contract";
import { Button, Meter, Panel, TextField, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldErrors } from "../../../data/error-facts.ts";
import { routeQuery, useRouteMutation } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { scaling } from "./decisions.ts";
import type { SettingsProps } from "./settings-props.ts";

/** Scales the node pools of the cluster. */
export function ScalePanel(props: SettingsProps) {
  return (
    <Panel title="Scale">
      {poolSizes(props.cluster.spec).map((pool) => (
        // The key resets the input when another user scales the pool.
        <PoolForm key={`${pool.name} ${pool.replicas}`} {...props} pool={pool} />
      ))}
    </Panel>
  );
}

function PoolForm({ cluster, team, pool }: SettingsProps & { readonly pool: PoolSize }) {
  const [text, setText] = useState(String(pool.replicas));
  const say = useToast();
  const scale = useRouteMutation(scaleCluster, {
    refreshes: [getTeamUsage],
    onSuccess: () => say({ kind: "done", title: `Scaling ${pool.name} to ${text} nodes` }),
  });
  const { refusal, request } = scaling(cluster, pool.name, text);
  const more = request === undefined ? 0 : request.body.replicas - pool.replicas;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (request !== undefined) scale.mutate(request);
  };
  return (
    <form className="b-form" onSubmit={submit} noValidate>
      <TextField
        label={`Nodes in ${pool.name}`}
        type="number"
        min={smallestPool(pool.name)}
        value={text}
        error={refusal ?? fieldErrors(scale.error)["replicas"]}
        hint={`Currently ${pool.replicas}.`}
        onChange={(event) => setText(event.target.value)}
      />
      {more > 0 && <NodesMeter team={team.name} more={more} limit={team.resourceLimits?.maxTotalNodes} />}
      <ProblemNotice error={scale.error} />
      <div className="b-form-actions">
        <Button
          type="submit"
          disabled={request === undefined}
          isBusy={scale.isPending}
          aria-label={`Scale ${pool.name}`}
        >
          Scale
        </Button>
      </div>
    </form>
  );
}

interface NodesMeterProps {
  readonly team: string;
  readonly more: number;
  readonly limit: number | undefined;
}

function NodesMeter({ team, more, limit }: NodesMeterProps) {
  const { data } = useQuery(routeQuery(getTeamUsage, { params: { team } }));
  if (data === undefined) return undefined;
  const words = `${data.nodes} used + ${more} requested${limit === undefined ? ", no limit" : ` of ${limit}`}`;
  return <Meter label="Worker nodes in the team" used={data.nodes} asked={more} limit={limit} words={words} />;
}
