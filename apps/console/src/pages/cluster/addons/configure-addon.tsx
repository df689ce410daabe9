import { changeAddon, getAddon } from "@butler/contract";
import { deepEqual } from "@butler/std";
import { Button, Notice, useToast } from "@butler/ui";
import { useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import type { AddonView, CatalogueEntry } from "../../../parts/addon-facts.ts";
import { DiffView } from "../../../parts/diff-view.tsx";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import type { ClusterKey } from "../queries.ts";
import { draftOf, readDraft } from "./values-draft.ts";
import { ValuesEditor } from "./values-editor.tsx";
import { fieldsOf, formProblem } from "./values-form.ts";

/** The add-on that something is done with, and how to get back to it. */
export interface AddonTaskProps {
  readonly cluster: ClusterKey;
  readonly addon: AddonView;
  readonly entry: CatalogueEntry | undefined;
  readonly onDone: () => void;
}

/** Values of an add-on: edited, shown as a difference, and only then applied. */
export function ConfigureAddon({ cluster, addon, entry, onDone }: AddonTaskProps) {
  // What was there when the editing began: a change by somebody else meanwhile is not overwritten.
  const [begun, setBegun] = useState(addon.values);
  const [text, setText] = useState(() => draftOf(begun));
  const [isReviewed, setReviewed] = useState(false);
  const toast = useToast();
  const change = useRouteMutation(changeAddon, {
    refreshes: [getAddon],
    onSuccess: () => {
      toast({ kind: "done", title: `${addon.displayName} gets its new values` });
      onDone();
    },
  });
  const fields = fieldsOf(entry?.valuesSchema);
  const { values } = readDraft(text);
  const problem = values === undefined ? "The YAML cannot be read." : formProblem(fields, values);
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
            Show what changes
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="c-task">
      <DiffView before={draftOf(begun)} after={after} label="What changes in the values" />
      {isOvertaken && (
        <Notice tone="attention">
          <span>Somebody has changed the values meanwhile.</span>
          <Button onClick={() => setBegun(addon.values)}>Compare with theirs</Button>
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
