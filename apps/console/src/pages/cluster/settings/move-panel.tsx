import { getTeam, moveCluster } from "@butler/contract";
import { Button, Panel, SelectField, useToast } from "@butler/ui";
import { type FormEvent, useState } from "react";
import { fieldErrors } from "../../../data/error-facts.ts";
import { useRouteMutation } from "../../../data/route-query.ts";
import { environmentOf } from "../../../parts/cluster-facts.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { moveTargets, moving } from "./decisions.ts";
import type { SettingsProps } from "./settings-props.ts";

/** Moves the cluster to another environment of its team. */
export function MovePanel({ cluster, team }: SettingsProps) {
  const current = environmentOf(cluster);
  const [wanted, setWanted] = useState<string>();
  const say = useToast();
  const move = useRouteMutation(moveCluster, {
    refreshes: [getTeam],
    onSuccess: () => {
      say({ kind: "done", title: chosen === "" ? "Removed from its environment" : `Moved to ${chosen}` });
      setWanted(undefined);
    },
  });
  const chosen = wanted ?? current;
  const targets = moveTargets(cluster, team);
  const { refusal, request } = moving(cluster, team, chosen);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (request !== undefined) move.mutate(request);
  };
  return (
    <Panel title="Environment">
      <form className="b-form" onSubmit={submit} noValidate>
        <SelectField
          label="Move to"
          hint="Its access rules and limits apply immediately. Nothing is recreated."
          options={targets}
          value={chosen}
          error={refusal ?? fieldErrors(move.error)["environment"]}
          onChange={(event) => setWanted(event.target.value)}
        />
        <ProblemNotice error={move.error} />
        <div className="b-form-actions">
          <Button type="submit" disabled={request === undefined} isBusy={move.isPending}>
            Move
          </Button>
        </div>
      </form>
    </Panel>
  );
}
