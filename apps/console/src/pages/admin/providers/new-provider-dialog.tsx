import { Button, CodeBlock, Dialog, Notice, SelectField, TextField } from "@butler/ui";
import { useState } from "react";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import {
  type ProviderField,
  type ProviderForm,
  providerFaults,
  providerKinds,
  providerManifest,
  type ProviderType,
  secretCommand,
} from "./provider-manifest.ts";

const types = Object.entries(providerKinds).map(([value, { label }]) => ({ value, label }));
const isType = (text: string): text is ProviderType => text in providerKinds;

/** Collects the settings of a provider and shows the manifest to apply. Credentials never pass through the console. */
export function NewProviderDialog({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState<ProviderForm>({ type: "harvester", name: "", team: "", pool: "", values: {} });
  const [isTried, setTried] = useState(false);
  const [isDone, setDone] = useState(false);
  const faults = providerFaults(form);
  const fields: readonly ProviderField[] = providerKinds[form.type].fields;
  if (isDone) return <Manifest form={form} onBack={() => setDone(false)} onClose={onClose} />;
  const error = (name: string) => (isTried ? faults[name] : undefined);
  return (
    <FormDialog
      title="Add provider"
      description="Generates a manifest to apply with kubectl, so that credentials never pass through the console."
      verb="Show manifest"
      isBusy={false}
      error={undefined}
      onSubmit={() => {
        setTried(true);
        setDone(Object.keys(faults).length === 0);
      }}
      onClose={onClose}
    >
      <SelectField
        label="Infrastructure"
        options={types}
        value={form.type}
        onChange={({ target: { value } }) => isType(value) && setForm({ ...form, type: value, values: {} })}
      />
      <TextField
        label="Name"
        required
        className="b-mono"
        value={form.name}
        error={error("name")}
        onChange={(event) => setForm({ ...form, name: event.target.value })}
      />
      {fields.map(({ name, label, hint, isNeeded = false }) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          required={isNeeded}
          value={form.values[name] ?? ""}
          error={error(name)}
          onChange={(event) => setForm({ ...form, values: { ...form.values, [name]: event.target.value } })}
        />
      ))}
      <TextField
        label="Team"
        hint="Leave empty for all teams."
        value={form.team}
        error={error("team")}
        onChange={(event) => setForm({ ...form, team: event.target.value.trim() })}
      />
      {!["aws", "azure", "gcp"].includes(form.type) && (
        <TextField
          label="Network pool"
          hint="Source of addresses. Leave empty to let the provider assign them."
          value={form.pool}
          onChange={(event) => setForm({ ...form, pool: event.target.value.trim() })}
        />
      )}
    </FormDialog>
  );
}

interface ManifestProps {
  readonly form: ProviderForm;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function Manifest({ form, onBack, onClose }: ManifestProps) {
  const command = secretCommand(form);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      place="right"
      title={`Manifest for ${form.name}`}
      actions={
        <>
          <Button onClick={onBack}>Back</Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Notice tone="unknown">
        Nothing has been created yet. Apply the manifest; the provider then appears here with its status.
      </Notice>
      {command !== undefined && <CodeBlock text={command} language="plain" label="Create the Secret" />}
      <CodeBlock text={providerManifest(form)} label="Provider manifest" />
      <CodeBlock text="kubectl apply -f provider.yaml" language="plain" label="Apply the manifest" />
    </Dialog>
  );
}
