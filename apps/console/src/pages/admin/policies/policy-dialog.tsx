import type { ClusterCreationPolicy } from "@butler/api";
import { createPolicy, listPolicies, updatePolicy } from "@butler/contract";
import { Button, SelectField, TextField } from "@butler/ui";
import { useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { useMay } from "../shared/action-button.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import {
  type Mode,
  modes,
  type OptionForm,
  type OptionName,
  optionNames,
  policyFaults,
  policyForm,
  policySpec,
} from "./policy-form.ts";

const modeOptions = Object.entries(modes).map(([value, label]) => ({ value, label }));
const names = Object.keys(optionNames) as readonly OptionName[];
const isMode = (text: string): text is Mode => text in modes;

/** The policy to edit and its callbacks. */
export interface PolicyDialogProps {
  readonly policy?: {
    readonly metadata: { readonly name: string; readonly resourceVersion?: string | undefined };
    readonly spec: ClusterCreationPolicy["spec"];
  };
  readonly onClose: () => void;
  readonly onDelete?: () => void;
}

/** Creates or edits a policy. */
export function PolicyDialog({ policy, onClose, onDelete }: PolicyDialogProps) {
  const may = useMay(updatePolicy);
  const [form, setForm] = useState(() => policyForm(policy?.metadata.name, policy?.spec));
  const [wasTried, setTried] = useState(false);
  const options = { refreshes: [listPolicies], onSuccess: onClose };
  const create = useRouteMutation(createPolicy, options);
  const update = useRouteMutation(updatePolicy, options);
  const faults = policyFaults(form);
  const submit = (): void => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    const spec = policySpec(form, policy?.spec);
    if (policy === undefined) return create.mutate({ body: { name: form.name, spec } });
    const { name, resourceVersion } = policy.metadata;
    update.mutate({ params: { name }, body: { spec, ...(resourceVersion !== undefined && { resourceVersion }) } });
  };
  const error = (name: string) => (wasTried ? faults[name] : undefined);
  const field = (name: "name" | "team" | "environment" | "providers") => ({
    value: form[name],
    error: error(name),
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setForm({ ...form, [name]: event.target.value }),
  });
  return (
    <FormDialog
      title={policy === undefined ? "New policy" : `Policy ${policy.metadata.name}`}
      description="The policy with the narrowest scope applies."
      verb={policy === undefined ? "Create" : "Save"}
      canSubmit={may}
      isBusy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {!may && <p className="b-soft">Changing policies requires the platform admin role.</p>}
      <TextField label="Name" required disabled={policy !== undefined} className="b-mono" {...field("name")} />
      <TextField label="Team" hint="Leave empty for all teams." {...field("team")} />
      <TextField label="Environment" hint="Leave empty for all environments in the team." {...field("environment")} />
      <TextField label="Infrastructure types" hint="Comma-separated. Leave empty for all." {...field("providers")} />
      {names.map((name) => (
        <OptionFields
          key={name}
          name={name}
          option={form.options[name]}
          error={error(name)}
          onChange={(option) => setForm({ ...form, options: { ...form.options, [name]: option } })}
        />
      ))}
      {onDelete !== undefined && may && (
        <div className="b-form-actions">
          <Button kind="danger-quiet" onClick={onDelete}>
            Delete…
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

interface OptionFieldsProps {
  readonly name: OptionName;
  readonly option: OptionForm;
  readonly error: string | undefined;
  readonly onChange: (option: OptionForm) => void;
}

function OptionFields({ name, option, error, onChange }: OptionFieldsProps) {
  const { mode } = option;
  return (
    <>
      <SelectField
        label={optionNames[name]}
        options={modeOptions}
        value={mode}
        error={error}
        onChange={({ target: { value } }) => isMode(value) && onChange({ ...option, mode: value })}
      />
      {mode !== "" && mode !== "default" && (
        <TextField
          label={`${optionNames[name]}: IDs`}
          hint="Comma-separated IDs, as used by the provider."
          className="b-mono"
          value={option.values}
          onChange={(event) => onChange({ ...option, values: event.target.value })}
        />
      )}
      {(mode === "default" || mode === "allowList") && (
        <TextField
          label={`${optionNames[name]}: default`}
          className="b-mono"
          value={option.preselected}
          onChange={(event) => onChange({ ...option, preselected: event.target.value })}
        />
      )}
    </>
  );
}
