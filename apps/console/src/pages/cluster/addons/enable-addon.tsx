import { enableAddon } from "@butler/contract";
import { Button, CodeBlock, Dialog, EmptyState, Notice, SelectField, useToast } from "@butler/ui";
import { useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { type AddonView, type CatalogEntry, versionsOf } from "../../../parts/addon-facts.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import type { ClusterKey } from "../queries.ts";
import { enabledChoices, judgeEntry } from "./enable-choice.ts";
import { draftOf, readDraft } from "./values-draft.ts";
import { ValuesEditor } from "./values-editor.tsx";
import { fieldsOf, formProblem } from "./values-form.ts";

/** Available entries and the current selection. */
export interface EnableAddonProps {
  readonly cluster: ClusterKey;
  readonly entries: readonly CatalogEntry[];
  readonly installed: readonly AddonView[];
  readonly chosen: string;
  readonly onChoose: (entry: string) => void;
  readonly onClose: () => void;
  readonly onEnabled: (addon: string) => void;
}

/** Selects a catalog entry and enables it on the cluster. */
export function EnableAddon(props: EnableAddonProps) {
  const { entries, installed, chosen, onChoose, onClose } = props;
  const choices = enabledChoices(entries, installed);
  const entry = entries.find(({ name }) => name === chosen);
  const refusal = entry && judgeEntry(entry, installed).refusal;
  return (
    <Dialog isOpen place="right" title="Enable add-on" onClose={onClose}>
      {choices.length === 0 ? (
        <EmptyState
          title="No more add-ons to enable"
          sentence="No other catalog entry can be enabled on this cluster."
        />
      ) : (
        <SelectField
          label="Add-on"
          value={refusal === undefined ? (entry?.name ?? "") : ""}
          onChange={({ target }) => onChoose(target.value)}
          options={[
            { value: "", label: "Select an add-on" },
            ...choices.map(({ name, displayName, category }) => ({
              value: name,
              label: `${displayName} · ${category}`,
            })),
          ]}
        />
      )}
      {entry !== undefined && refusal !== undefined && (
        <Notice tone="attention">
          {entry.displayName} cannot be enabled on this cluster. {refusal}
        </Notice>
      )}
      {entry !== undefined && refusal === undefined && <EnableEntry key={entry.name} {...props} entry={entry} />}
    </Dialog>
  );
}

function EnableEntry({
  cluster,
  entry,
  installed,
  onClose,
  onEnabled,
}: EnableAddonProps & { readonly entry: CatalogEntry }) {
  const [version, setVersion] = useState("");
  const [text, setText] = useState("");
  const toast = useToast();
  const enable = useRouteMutation(enableAddon, {
    onSuccess: ({ name, displayName }) => {
      toast({ kind: "done", title: `Installing ${displayName}` });
      onEnabled(name);
    },
  });
  const fields = fieldsOf(entry.valuesSchema);
  const { values } = readDraft(text);
  const problem = values === undefined ? "Invalid YAML." : formProblem(fields, values);
  const { missing } = judgeEntry(entry, installed);
  const submit = (): void => {
    if (values === undefined) return;
    const hasValues = Object.keys(values).length > 0;
    const body = { addon: entry.name, ...(version && { version }), ...(hasValues && { values: { ...values } }) };
    enable.mutate({ params: { ...cluster }, body });
  };
  return (
    <div className="c-task">
      <p dir="auto">{entry.description}</p>
      {missing.length > 0 && (
        <Notice tone="attention">
          Depends on {missing.join(", ")}, not installed on this cluster. Installation waits for all dependencies.
        </Notice>
      )}
      {entry.kubernetesVersions !== undefined && (
        <p className="b-soft">Supports Kubernetes {entry.kubernetesVersions}.</p>
      )}
      <SelectField
        label="Version"
        value={version}
        onChange={({ target }) => setVersion(target.value)}
        options={[
          { value: "", label: `Catalog default: ${entry.defaultVersion}` },
          ...versionsOf(entry).map((each) => ({ value: each, label: each })),
        ]}
      />
      <ValuesEditor text={text} onText={setText} fields={fields} />
      {draftOf(values) !== "" && <CodeBlock label="Values to apply" text={draftOf(values)} />}
      {problem !== undefined && <p className="b-soft">{problem}</p>}
      <ProblemNotice error={enable.error} />
      <div className="b-dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={enable.isPending} disabled={problem !== undefined} onClick={submit}>
          Enable
        </Button>
      </div>
    </div>
  );
}
