import { changeAddon, deleteAddon, getAddon, rollBackAddon } from "@butler/contract";
import { Button, Notice, SelectField, TextField, useToast } from "@butler/ui";
import { useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { compareVersions, earlierRevisions, openUpgrade, versionsOf } from "../../../parts/addon-facts.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { useAnnouncedMutation } from "../../../parts/use-announced-mutation.ts";
import type { AddonTaskProps } from "./configure-addon.tsx";

/** Changes the version of an add-on. */
export function ChangeVersion({ cluster, addon, entry, onDone }: AddonTaskProps) {
  const current = addon.version || addon.status.installedVersion;
  const [version, setVersion] = useState(openUpgrade(addon, entry) ?? current);
  const toast = useToast();
  const change = useRouteMutation(changeAddon, {
    refreshes: [getAddon],
    onSuccess: () => {
      toast({ kind: "done", title: `Changing ${addon.displayName} to ${version}` });
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
          hint="Chart version to install. This add-on is not in the catalog."
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
        <Notice tone="attention">
          This version is older than the current one. Not every chart supports downgrades.
        </Notice>
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
  const notes = [...(version === current ? ["current"] : []), ...(version === usual ? ["catalog default"] : [])];
  return notes.length === 0 ? version : `${version} (${notes.join(", ")})`;
}

/** Rolls back to an earlier revision, or resumes upgrades. */
export function RollBack({ cluster, addon, onDone }: AddonTaskProps) {
  const revisions = earlierRevisions(addon);
  const [revision, setRevision] = useState(revisions[0]);
  const toast = useToast();
  const rollBack = useRouteMutation(rollBackAddon, {
    refreshes: [getAddon],
    onSuccess: ({ rollbackTo }) => {
      const title =
        rollbackTo === undefined
          ? `Resuming upgrades of ${addon.displayName}`
          : `Rolling back ${addon.displayName} to revision ${rollbackTo}`;
      toast({ kind: "done", title });
      onDone();
    },
  });
  const go = (to: number | undefined): void =>
    rollBack.mutate({ params: { ...cluster, addon: addon.name }, body: to === undefined ? {} : { revision: to } });
  return (
    <div className="c-task">
      {addon.rollbackTo !== undefined && (
        <Notice tone="attention">
          <span>Pinned to revision {addon.rollbackTo}: version and value changes are not applied.</span>
          <Button isBusy={rollBack.isPending} onClick={() => go(undefined)}>
            Resume upgrades
          </Button>
        </Notice>
      )}
      {revisions.length === 0 ? (
        <p className="b-soft">No earlier revisions.</p>
      ) : (
        <SelectField
          label="Revision"
          value={String(revision)}
          hint="Pins the add-on to this revision until you resume upgrades. Version and value changes are not applied."
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

/** Removes an add-on once its name is typed. */
export function RemoveAddon({ cluster, addon, onDone }: AddonTaskProps) {
  const [typed, setTyped] = useState("");
  const remove = useAnnouncedMutation(deleteAddon, { onDone });
  const namespace = addon.helm?.namespace;
  return (
    <div className="c-task">
      <Notice tone="attention">
        <span>
          Helm uninstalls the release{namespace === undefined ? "" : ` from ${namespace}`}. Its workloads, values and
          history are deleted immediately.
        </span>
      </Notice>
      <TextField
        label={`Type ${addon.name} to confirm`}
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
