import { getTeam, listTeams, updateTeam } from "@butler/contract";
import { Button, Facts, Moment, Notice, Page, Panel, TextAreaField, TextField, useToast } from "@butler/ui";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { useRouteMutation } from "../../data/route-query.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import type { TeamView } from "../../session/me.ts";
import { isAllowed, refusalOf } from "../../session/user-roles.ts";
import { ClusterDefaultsFields } from "./cluster-defaults-fields.tsx";
import { isChangedElsewhere, limitFacts, settingsDraft, settingsFaults, teamChange } from "./settings-form.ts";
import { useTeam } from "./use-team.ts";

/** Name, cluster defaults and limits of the team. */
export function SettingsPage() {
  const { view, roles } = useTeam();
  const refusal = refusalOf(updateTeam, roles);
  const limits = limitFacts(view);
  return (
    <Page title="Settings">
      {refusal !== undefined && <Notice tone="asleep">Read-only: changing settings {refusal.toLowerCase()}</Notice>}
      <div className="b-main-aside">
        <SettingsForm key={view.name} view={view} mayChange={isAllowed(updateTeam, roles)} />
        <div>
          <Panel title="Limits">
            {limits.length === 0 ? (
              <p className="b-soft">No team limits set. Platform limits still apply.</p>
            ) : (
              <Facts facts={limits} />
            )}
            <p className="b-soft">Set by platform administrators.</p>
          </Panel>
          <Panel title="Details">
            <Facts
              facts={[
                ["Name", mono(view.name)],
                ["Namespace", mono(view.namespace)],
                ["Phase", view.phase],
                ["Created", <Moment key="made" at={view.createdAt} />],
              ]}
            />
          </Panel>
        </div>
      </div>
    </Page>
  );
}

function SettingsForm({ view, mayChange }: { readonly view: TeamView; readonly mayChange: boolean }) {
  const toast = useToast();
  const queries = useQueryClient();
  // State when editing began: a change applies to this version and is rejected if there is a newer one.
  const [opened, setOpened] = useState(view);
  const [draft, setDraft] = useState(() => settingsDraft(view));
  const start = (from: TeamView): void => {
    setOpened(from);
    setDraft(settingsDraft(from));
  };
  const save = useRouteMutation(updateTeam, {
    refreshes: [getTeam, listTeams],
    onSuccess: (answer) => {
      start(answer);
      toast({ kind: "done", title: "Settings saved" });
    },
    // Possibly a conflict: the newest version shows whether the settings were changed.
    onError: () => void queries.invalidateQueries({ queryKey: [getTeam.id] }),
  });
  const faults = settingsFaults(draft);
  const body = teamChange(draft, opened, view);
  const isOutdated = isChangedElsewhere(opened, view) && !save.isPending;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (body !== undefined && Object.keys(faults).length === 0) save.mutate({ params: { team: view.name }, body });
  };
  const shown = { ...fieldErrors(save.error), ...faults };
  return (
    <Panel title="Name and defaults">
      <form className="b-form" onSubmit={submit} noValidate>
        <TextField
          label="Display name"
          dir="auto"
          autoComplete="off"
          readOnly={!mayChange}
          value={draft.displayName}
          error={shown["displayName"]}
          onChange={(event) => setDraft({ ...draft, displayName: event.target.value })}
        />
        <TextAreaField
          label="Description"
          dir="auto"
          rows={3}
          readOnly={!mayChange}
          value={draft.description}
          error={shown["description"]}
          onChange={(event) => setDraft({ ...draft, description: event.target.value })}
        />
        <ClusterDefaultsFields
          draft={draft.defaults}
          faults={shown}
          isReadOnly={!mayChange}
          origin="Empty fields use the platform defaults. Environments can override them."
          onChange={(defaults) => setDraft({ ...draft, defaults })}
        />
        <ProblemNotice error={save.error} />
        {isOutdated && body !== undefined && (
          <Notice tone="attention">
            Another user changed this team while you were editing.
            <Button onClick={() => start(view)}>Reload current values</Button>
          </Notice>
        )}
        {mayChange && (
          <div className="b-form-actions">
            <Button type="submit" kind="primary" isBusy={save.isPending} disabled={body === undefined}>
              Save
            </Button>
            {body !== undefined && <Button onClick={() => start(view)}>Discard</Button>}
          </div>
        )}
      </form>
    </Panel>
  );
}

function mono(text: string) {
  return <span className="b-mono">{text}</span>;
}
