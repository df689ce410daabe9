import { getSettings, putSettings, type RouteAnswer } from "@butler/contract";
import { Button, CheckField, Chip, Panel, SelectField, TextField, useToast } from "@butler/ui";
import { type FormEvent, useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import {
  fieldKey,
  sectionChange,
  sectionFaults,
  type SectionForm,
  sectionForm,
  type SettingField,
  type SettingSection,
} from "./settings-sections.ts";

/** A section of the settings and the current values. */
export interface SectionPanelProps {
  readonly section: SettingSection;
  readonly settings: RouteAnswer<typeof getSettings>;
  readonly canChange: boolean;
}

/** A section of the settings with its own save button. Only changes are sent. */
export function SectionPanel({ section, settings, canChange }: SectionPanelProps) {
  const toast = useToast();
  // Only edited fields are kept in state: changes by other users show up in the untouched fields.
  const [written, setWritten] = useState<SectionForm>({});
  const save = useRouteMutation(putSettings, {
    refreshes: [getSettings],
    onSuccess: () => {
      setWritten({});
      toast({ kind: "done", title: `${section.title} saved` });
    },
  });
  const form = { ...sectionForm(section, settings.spec), ...written };
  const change = sectionChange(section, settings.spec, form);
  const faults = sectionFaults(section, form);
  const isChanged = Object.keys(change).length > 0;
  const { resourceVersion } = settings;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isChanged || Object.keys(faults).length > 0) return;
    save.mutate({ body: { spec: change, ...(resourceVersion !== undefined && { resourceVersion }) } });
  };
  return (
    <Panel title={section.title} {...(isChanged && { aside: <Chip>Unsaved</Chip> })}>
      <form className="b-form" onSubmit={submit}>
        {section.fields.map((field) => (
          <Field
            key={fieldKey(field)}
            field={field}
            value={form[fieldKey(field)] ?? ""}
            error={faults[fieldKey(field)]}
            isDisabled={!canChange}
            onChange={(value) => setWritten({ ...written, [fieldKey(field)]: value })}
          />
        ))}
        <ProblemNotice error={save.error} />
        {canChange && (
          <div className="b-form-actions">
            <Button type="submit" kind="primary" isBusy={save.isPending} disabled={!isChanged}>
              Save
            </Button>
            {isChanged && <Button onClick={() => setWritten({})}>Discard</Button>}
          </div>
        )}
      </form>
    </Panel>
  );
}

interface FieldProps {
  readonly field: SettingField;
  readonly value: string;
  readonly error: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
}

function Field({ field, value, error, isDisabled, onChange }: FieldProps) {
  const { label, hint, kind, choices = [] } = field;
  if (kind === "flag") {
    return (
      <CheckField
        label={label}
        hint={hint}
        disabled={isDisabled}
        checked={value === "true"}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    );
  }
  const common = { label, hint, error, value, disabled: isDisabled };
  if (kind === "choice") {
    const options = [{ value: "", label: "Not set" }, ...choices.map((choice) => ({ value: choice, label: choice }))];
    return <SelectField {...common} options={options} onChange={(event) => onChange(event.target.value)} />;
  }
  return (
    <TextField
      {...common}
      {...(kind === "number" && { inputMode: "numeric" })}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
