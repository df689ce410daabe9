import { deepEqual, valueAt } from "@butler/std";
import { Notice, SelectField, Tabs, TextAreaField, TextField } from "@butler/ui";
import { useState } from "react";
import { readDraft, type Values, withValue } from "./values-draft.ts";
import { fieldProblem, fieldText, fieldValue, type ValueField } from "./values-form.ts";

/** A draft of values as text and the fields of the schema. */
export interface ValuesEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly fields: readonly ValueField[];
}

/** Edits values in a form or as YAML. Both show the same draft. */
export function ValuesEditor({ text, onText, fields }: ValuesEditorProps) {
  const draft = readDraft(text);
  const yaml = {
    id: "yaml",
    label: "YAML",
    content: (
      <TextAreaField
        label="Values"
        className="c-values-text b-mono"
        rows={16}
        spellCheck={false}
        value={text}
        error={draft.problem}
        hint="Enter only values that differ from the catalog defaults."
        onChange={({ target }) => onText(target.value)}
      />
    ),
  };
  if (fields.length === 0) return yaml.content;
  const form = {
    id: "form",
    label: "Form",
    content:
      draft.values === undefined ? (
        <Notice tone="failed">Invalid YAML: {draft.problem}</Notice>
      ) : (
        <ValuesForm
          fields={fields}
          values={draft.values}
          onValue={(path, value) => onText(withValue(text, path, value))}
        />
      ),
  };
  return <Tabs label="Values editor" tabs={[form, yaml]} />;
}

interface ValuesFormProps {
  readonly fields: readonly ValueField[];
  readonly values: Values;
  readonly onValue: (path: readonly string[], value: unknown) => void;
}

function ValuesForm({ fields, values, onValue }: ValuesFormProps) {
  return (
    <div className="c-values-form">
      {fields.map((field) => (
        <ValueControl
          key={field.path.join(".")}
          field={field}
          value={valueAt(values, field.path)}
          onValue={(value) => onValue(field.path, value)}
        />
      ))}
    </div>
  );
}

interface ValueControlProps {
  readonly field: ValueField;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}

function ValueControl({ field, value, onValue }: ValueControlProps) {
  const [written, setWritten] = useState("");
  // Keeps the typed text while its value is unchanged: `1.` may become `1.5`.
  const text = deepEqual(fieldValue(field, written), value) ? written : fieldText(field, value);
  const frame = {
    label: field.label,
    hint: hintOf(field, value),
    error: fieldProblem(field, value),
    value: text,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setWritten(target.value);
      onValue(fieldValue(field, target.value));
    },
  };
  switch (field.kind) {
    case "yes-no":
      return (
        <SelectField {...frame} options={[open, { value: "true", label: "Yes" }, { value: "false", label: "No" }]} />
      );
    case "choice":
      return (
        <SelectField {...frame} options={[open, ...field.choices.map((each) => ({ value: each, label: each }))]} />
      );
    case "lines":
      return <TextAreaField {...frame} rows={3} spellCheck={false} />;
    case "other":
      return <TextField {...frame} readOnly hint={`${frame.hint} Edit this value as YAML.`.trim()} />;
    default:
      return (
        <TextField
          {...frame}
          inputMode={field.kind === "text" ? "text" : "decimal"}
          placeholder={fieldText(field, field.fallback)}
        />
      );
  }
}

const open = { value: "", label: "Catalog default" };

/** Description of the value and its current source. */
function hintOf({ hint, fallback }: ValueField, value: unknown): string {
  const otherwise = fallback === undefined ? "Chart default." : `Catalog default: ${JSON.stringify(fallback)}.`;
  return `${hint} ${value === undefined ? otherwise : "Set for this cluster."}`.trim();
}
