import { decideDeletion } from "@butler/cluster-operations";
import { deleteCluster, getTeam, getTeamUsage, listAddons } from "@butler/contract";
import { Button, Dialog, Facts, Notice, Panel, TextField, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { routeQuery, useRouteMutation } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { whatGoes } from "./decisions.ts";
import type { SettingsProps } from "./settings-props.ts";

/** Deletes the cluster after listing the effects and asking for its name. */
export function DeletePanel({ cluster }: Pick<SettingsProps, "cluster">) {
  const [isOpen, setOpen] = useState(false);
  const { state } = decideDeletion(cluster);
  return (
    <Panel title="Delete">
      {state === "unchanged" && <Notice tone="working">Deleting the cluster. See Overview for progress.</Notice>}
      {state === "refused" && (
        <p className="b-soft">The cluster is protected from deletion. Turn off protection first.</p>
      )}
      <div className="b-form-actions">
        <Button kind="danger-quiet" disabled={state !== "delete"} onClick={() => setOpen(true)}>
          Delete cluster
        </Button>
      </div>
      {isOpen && <DeleteDialog cluster={cluster} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

interface DeleteDialogProps extends Pick<SettingsProps, "cluster"> {
  readonly onClose: () => void;
}

function DeleteDialog({ cluster, onClose }: DeleteDialogProps) {
  const [typed, setTyped] = useState("");
  const formId = useId();
  const say = useToast();
  const { namespace = "", name } = cluster.metadata;
  const addons = useQuery(routeQuery(listAddons, { params: { namespace, name }, query: { limit: 500 } }));
  const remove = useRouteMutation(deleteCluster, {
    refreshes: [getTeamUsage, getTeam],
    onSuccess: () => {
      onClose();
      say({ kind: "done", title: `Deleting ${name}` });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed === name) remove.mutate({ params: { namespace, name } });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}?`}
      description="Everything listed here is deleted with the cluster. This cannot be undone."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="danger" disabled={typed !== name} isBusy={remove.isPending}>
            Delete permanently
          </Button>
        </>
      }
    >
      <Facts facts={whatGoes(cluster, addons.data?.addons ?? [])} />
      <ProblemNotice error={addons.error} />
      <form id={formId} className="b-form" onSubmit={submit} noValidate>
        <TextField
          label={`Type ${name} to confirm`}
          className="b-mono"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <ProblemNotice error={remove.error} />
      </form>
    </Dialog>
  );
}
