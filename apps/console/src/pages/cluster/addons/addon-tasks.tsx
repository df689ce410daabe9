import { changeAddon, deleteAddon, getAddon, rollBackAddon } from "@butler/contract";
import { Button, Notice, SelectField, TextField, useToast } from "@butler/ui";
import { useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { compareVersions, earlierRevisions, openUpgrade, versionsOf } from "../../../parts/addon-facts.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import type { AddonTaskProps } from "./configure-addon.tsx";

/** Another version for an add-on. */
export function ChangeVersion({ cluster, addon, entry, onDone }: AddonTaskProps) {
  const current = addon.version || addon.status.installedVersion;
  const [version, setVersion] = useState(openUpgrade(addon, entry) ?? current);
  const toast = useToast();
  const change = useRouteMutation(changeAddon, {
    refreshes: [getAddon],
    onSuccess: () => {
      toast({ kind: "done", title: `${addon.displayName} goes to ${version}` });
      onDone();
    },
  });
  const isOlder = current !== "" && version !== "" && compareVersions(version, current) < 0;
  return (
    <div className="c-task">
      {entry === undefined ? (
        <TextField
          label="Version"
          className="b-mono"
          value={version}
          onChange={({ target }) => setVersion(target.value)}
          hint="A version of the chart; it is not in the catalogue."
        />
      ) : (
        <SelectField
          label="Version"
          value={version}
          onChange={({ target }) => setVersion(target.value)}
          options={[...new Set([...versionsOf(entry), current])]
            .filter((each) => each !== "")
            .map((each) => ({ value: each, label: labelOf(each, { current, usual: entry.defaultVersion }) }))}
        />
      )}
      {isOlder && (
        <Notice tone="attention">This is older than what is asked for now. Not every chart can go back.</Notice>
      )}
      <ProblemNotice error={change.error} />
      <div className="b-dialog-actions">
        <Button onClick={onDone}>Cancel</Button>
        <Button
          kind="primary"
          isBusy={change.isPending}
          disabled={version === "" || version === addon.version}
          onClick={() => change.mutate({ params: { ...cluster, addon: addon.name }, body: { version } })}
        >
          Change version
        </Button>
      </div>
    </div>
  );
}

function labelOf(version: string, { current, usual }: { readonly current: string; readonly usual: string }): string {
  const notes = [...(version === current ? ["now"] : []), ...(version === usual ? ["the catalogue's choice"] : [])];
  return notes.length === 0 ? version : `${version} (${notes.join(", ")})`;
}

/** Back to an earlier revision, or forward again. */
export function RollBack({ cluster, addon, onDone }: AddonTaskProps) {
  const revisions = earlierRevisions(addon);
  const [revision, setRevision] = useState(revisions[0]);
  const toast = useToast();
  const rollBack = useRouteMutation(rollBackAddon, {
    refreshes: [getAddon],
    onSuccess: ({ rollbackTo }) => {
      const where = rollbackTo === undefined ? "forward again" : `back to revision ${rollbackTo}`;
      toast({ kind: "done", title: `${addon.displayName} goes ${where}` });
      onDone();
    },
  });
  const go = (to: number | undefined): void =>
    rollBack.mutate({ params: { ...cluster, addon: addon.name }, body: to === undefined ? {} : { revision: to } });
  return (
    <div className="c-task">
      {addon.rollbackTo !== undefined && (
        <Notice tone="attention">
          <span>It is held at revision {addon.rollbackTo}: its version and values are not applied.</span>
          <Button isBusy={rollBack.isPending} onClick={() => go(undefined)}>
            Go forward again
          </Button>
        </Notice>
      )}
      {revisions.length === 0 ? (
        <p className="b-soft">There is no earlier revision.</p>
      ) : (
        <SelectField
          label="Revision"
          value={String(revision)}
          hint="The add-on stays at it, whatever version and values say, until it is let go forward again."
          onChange={({ target }) => setRevision(Number(target.value))}
          options={revisions.map((each) => ({ value: String(each), label: `Revision ${each}` }))}
        />
      )}
      <ProblemNotice error={rollBack.error} />
      <div className="b-dialog-actions">
        <Button onClick={onDone}>Cancel</Button>
        <Button
          kind="primary"
          disabled={revision === undefined}
          isBusy={rollBack.isPending}
          onClick={() => go(revision)}
        >
          Roll back
        </Button>
      </div>
    </div>
  );
}

/** The end of an add-on, once its name is typed. */
export function RemoveAddon({ cluster, addon, onDone }: AddonTaskProps) {
  const [typed, setTyped] = useState("");
  const toast = useToast();
  const remove = useRouteMutation(deleteAddon, {
    onSuccess: ({ message }) => {
      toast({ kind: "done", title: message });
      onDone();
    },
  });
  const namespace = addon.helm?.namespace;
  return (
    <div className="c-task">
      <Notice tone="attention">
        <span>
          Helm uninstalls the release{namespace === undefined ? "" : ` from ${namespace}`}: what runs of it goes at
          once. The add-on's values and history go with it.
        </span>
      </Notice>
      <TextField
        label={`Type ${addon.name} to go on`}
        className="b-mono"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <ProblemNotice error={remove.error} />
      <div className="b-dialog-actions">
        <Button onClick={onDone}>Cancel</Button>
        <Button
          kind="danger"
          isBusy={remove.isPending}
          disabled={typed !== addon.name}
          onClick={() => remove.mutate({ params: { ...cluster, addon: addon.name } })}
        >
          Disable
        </Button>
      </div>
    </div>
  );
}
