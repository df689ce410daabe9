import { createEnvironment, getTeam, updateEnvironment } from "@butler/contract";
import { Button, Dialog, TextField, useToast } from "@butler/ui";
import { type FormEvent, useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { useRouteMutation } from "../../data/route-query.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import { AccessRows } from "./access-rows.tsx";
import { ClusterDefaultsFields } from "./cluster-defaults-fields.tsx";
import {
  environmentChange,
  type EnvironmentDraft,
  environmentDraft,
  environmentFaults,
  type EnvironmentView,
  newEnvironment,
} from "./environment-form.ts";

/** Props of the form. */
export interface EnvironmentDialogProps {
  readonly team: string;
  /** The environment to edit; undefined creates a new one. */
  readonly environment?: EnvironmentView | undefined;
  readonly all: readonly EnvironmentView[];
  readonly onClose: () => void;
}

/** Creates or edits an environment in a drawer. */
export function EnvironmentDialog({ team, environment, all, onClose }: EnvironmentDialogProps) {
  const toast = useToast();
  // State when the form was opened, so that concurrent changes are not mistaken for edits.
  const [opened] = useState(environment);
  const [draft, setDraft] = useState<EnvironmentDraft>(() => environmentDraft(opened));
  const [wasSent, setSent] = useState(false);
  const done = {
    refreshes: [getTeam],
    onSuccess: ({ name }: { readonly name: string }) => {
      onClose();
      toast({ kind: "done", title: `Environment ${name} ${opened === undefined ? "created" : "updated"}` });
    },
  };
  const make = useRouteMutation(createEnvironment, done);
  const change = useRouteMutation(updateEnvironment, done);
  const error = make.error ?? change.error;
  const faults = environmentFaults(draft, opened === undefined ? all : []);
  const shown = wasSent ? { ...fieldErrors(error), ...faults } : {};
  const put = (part: Partial<EnvironmentDraft>): void => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSent(true);
    if (Object.keys(faults).length > 0) return;
    if (opened === undefined) return make.mutate({ params: { team }, body: newEnvironment(draft) });
    const body = environmentChange(draft, opened);
    if (Object.keys(body).length === 0) return onClose();
    change.mutate({ params: { team, environment: opened.name }, body });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      place="right"
      title={opened === undefined ? "New environment" : `Environment ${opened.name}`}
      description="A named group of the team's clusters, with its own limits within the team limits."
    >
      <form className="b-form" onSubmit={submit} noValidate>
        {opened === undefined && (
          <TextField
            label="Name"
            className="b-mono"
            hint="For example dev or prod. Cannot be changed later because clusters refer to it."
            autoComplete="off"
            required
            value={draft.name}
            error={shown["name"]}
            onChange={(event) => put({ name: event.target.value })}
          />
        )}
        <TextField
          label="Description"
          dir="auto"
          autoComplete="off"
          value={draft.description}
          error={shown["description"]}
          onChange={(event) => put({ description: event.target.value })}
        />
        <LimitFields draft={draft} shown={shown} onChange={put} />
        <ClusterDefaultsFields
          draft={draft.defaults}
          faults={shown}
          origin="Empty fields use the team defaults, then the platform defaults."
          onChange={(defaults) => put({ defaults })}
        />
        <AccessRows rows={draft.access} onChange={(access) => put({ access })} />
        <ProblemNotice error={error} />
        <div className="b-dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={make.isPending || change.isPending}>
            {opened === undefined ? "Create environment" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface LimitFieldsProps {
  readonly draft: EnvironmentDraft;
  readonly shown: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<EnvironmentDraft>) => void;
}

function LimitFields({ draft, shown, onChange }: LimitFieldsProps) {
  return (
    <div className="b-pair">
      <TextField
        label="Cluster limit"
        hint="Leave empty for no environment limit."
        inputMode="numeric"
        autoComplete="off"
        value={draft.maxClusters}
        error={shown["limits.maxClusters"]}
        onChange={(event) => onChange({ maxClusters: event.target.value })}
      />
      <TextField
        label="Cluster limit per member"
        hint="Leave empty for no limit."
        inputMode="numeric"
        autoComplete="off"
        value={draft.maxClustersPerMember}
        error={shown["limits.maxClustersPerMember"]}
        onChange={(event) => onChange({ maxClustersPerMember: event.target.value })}
      />
    </div>
  );
}
