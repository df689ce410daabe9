import { changeAddon, getAddon } from "@butler/contract";
import { deepEqual } from "@butler/std";
import { Button, Notice, useToast } from "@butler/ui";
import { useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import type { AddonView, CatalogEntry } from "../../../parts/addon-facts.ts";
import { DiffView } from "../../../parts/diff-view.tsx";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import type { ClusterKey } from "../queries.ts";
import { draftOf, readDraft } from "./values-draft.ts";
import { ValuesEditor } from "./values-editor.tsx";
import { fieldsOf, formProblem } from "./values-form.ts";

/** Props of a task on an add-on. */
export interface AddonTaskProps {
  readonly cluster: ClusterKey;
  readonly addon: AddonView;
  readonly entry: CatalogEntry | undefined;
  readonly onDone: () => void;
}

/** Edits the values of an add-on; the diff is shown before they are applied. */
export function ConfigureAddon({ cluster, addon, entry, onDone }: AddonTaskProps) {
  // The values when editing began, so that concurrent changes are not overwritten.
  const [begun, setBegun] = useState(addon.values);
  const [text, setText] = useState(() => draftOf(begun));
  const [isReviewed, setReviewed] = useState(false);
  const toast = useToast();
  const change = useRouteMutation(changeAddon, {
    refreshes: [getAddon],
    onSuccess: () => {
      toast({ kind: "done", title: `Updating values of ${addon.displayName}` });
      onDone();
    },
  });
  const fields = fieldsOf(entry?.valuesSchema);
  const { values } = readDraft(text);
  const problem = values === undefined ? "Invalid YAML." : formProblem(fields, values);
  const after = draftOf(values);
  const isOvertaken = !deepEqual(addon.values, begun);
  const apply = (): void => {
    if (values === undefined) return;
    const params = { ...cluster, addon: addon.name };
    const { resourceVersion } = addon;
    change.mutate({ params, body: { values: { ...values }, ...(resourceVersion && { resourceVersion }) } });
  };
  if (!isReviewed) {
    return (
      <div className="c-task">
        <ValuesEditor text={text} onText={setText} fields={fields} />
        {problem !== undefined && <p className="b-soft">{problem}</p>}
        <div className="b-dialog-actions">
          <Button onClick={onDone}>Cancel</Button>
          <Button kind="primary" disabled={problem !== undefined} onClick={() => setReviewed(true)}>
            Review changes
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="c-task">
      <DiffView before={draftOf(begun)} after={after} label="Changes to values" />
      {isOvertaken && (
        <Notice tone="attention">
          <span>Another user changed the values.</span>
          <Button onClick={() => setBegun(addon.values)}>Compare with current values</Button>
        </Notice>
      )}
      <ProblemNotice error={change.error} />
      <div className="b-dialog-actions">
        <Button onClick={() => setReviewed(false)}>Back</Button>
        <Button
          kind="primary"
          isBusy={change.isPending}
          disabled={isOvertaken || after === draftOf(begun)}
          onClick={apply}
        >
          Apply
        </Button>
      </div>
    </div>
  );
}
