import { getTeam, listTeams, updateTeam } from "@butler/contract";
import { Button, Facts, Moment, Notice, Page, Panel, TextAreaField, TextField, useToast } from "@butler/ui";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { useRouteMutation } from "../../data/route-query.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import type { TeamView } from "../../session/me.ts";
import { isAllowed, refusalOf } from "../../session/standing.ts";
import { ClusterDefaultsFields } from "./cluster-defaults-fields.tsx";
import { isChangedElsewhere, limitFacts, settingsDraft, settingsFaults, teamChange } from "./settings-form.ts";
import { useTeam } from "./use-team.ts";

/** How the team is called, what its clusters begin with, and what it is limited to. */
export function SettingsPage() {
  const { view, standing } = useTeam();
  const refusal = refusalOf(updateTeam, standing);
  const limits = limitFacts(view);
  return (
    <Page title="Settings">
      {refusal !== undefined && <Notice tone="asleep">You can look, but not change: {refusal.toLowerCase()}</Notice>}
      <div className="b-main-aside">
        <SettingsForm key={view.name} view={view} mayChange={isAllowed(updateTeam, standing)} />
        <div>
          <Panel title="Limits">
            {limits.length === 0 ? (
              <p className="b-soft">The team has none of its own. Those of the platform count, where there are any.</p>
            ) : (
              <Facts facts={limits} />
            )}
            <p className="b-soft">Administrators of the platform set them.</p>
          </Panel>
          <Panel title="What it is">
            <Facts
              facts={[
                ["Name", mono(view.name)],
                ["Namespace", mono(view.namespace)],
                ["Phase", view.phase],
                ["Made", <Moment key="made" at={view.createdAt} />],
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
  // As it was when somebody began: a change is meant for that version, and refused when there is a newer one.
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
      toast({ kind: "done", title: "The settings are saved" });
    },
    // Somebody may have been faster: the newest version tells whether it matters.
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
    <Panel title="Names and presets">
      <form className="b-form" onSubmit={submit} noValidate>
        <TextField
          label="Name for people"
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
          origin="What is empty comes from the platform. Environments can have presets of their own."
          onChange={(defaults) => setDraft({ ...draft, defaults })}
        />
        <ProblemNotice error={save.error} />
        {isOutdated && body !== undefined && (
          <Notice tone="attention">
            Somebody has changed the team since you began.
            <Button onClick={() => start(view)}>Begin anew with what there is</Button>
          </Notice>
        )}
        {mayChange && (
          <div className="b-form-actions">
            <Button type="submit" kind="primary" isBusy={save.isPending} disabled={body === undefined}>
              Save
            </Button>
            {body !== undefined && <Button onClick={() => start(view)}>Undo</Button>}
          </div>
        )}
      </form>
    </Panel>
  );
}

function mono(text: string) {
  return <span className="b-mono">{text}</span>;
}
