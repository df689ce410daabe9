import { TextField } from "@butler/ui";
import type { DefaultsDraft } from "./cluster-defaults.ts";

/** Props of the default fields. */
export interface ClusterDefaultsFieldsProps {
  readonly draft: DefaultsDraft;
  readonly faults: Readonly<Record<string, string>>;
  readonly isReadOnly?: boolean;
  /** Explains the value of an empty field. */
  readonly origin: string;
  readonly onChange: (draft: DefaultsDraft) => void;
}

const fields: readonly (readonly [keyof DefaultsDraft, string, string])[] = [
  ["kubernetesVersion", "Kubernetes version", "v1.34.1"],
  ["workerCount", "Workers", ""],
  ["workerCPU", "CPU cores per worker", ""],
  ["workerMemoryGi", "Memory per worker (GiB)", ""],
  ["workerDiskGi", "Disk per worker (GiB)", ""],
  ["defaultAddons", "Add-ons (by name)", "cilium, cert-manager"],
];

/** Defaults for new clusters of a team or an environment. */
export function ClusterDefaultsFields({ draft, faults, isReadOnly = false, ...rest }: ClusterDefaultsFieldsProps) {
  const { origin, onChange } = rest;
  return (
    <fieldset className="b-form">
      <legend className="b-field-label">Defaults for new clusters</legend>
      <p className="b-field-hint">{origin}</p>
      <div className="b-pair">
        {fields.map(([field, label, example]) => (
          <TextField
            key={field}
            label={label}
            placeholder={example}
            autoComplete="off"
            inputMode={field.startsWith("worker") ? "numeric" : "text"}
            readOnly={isReadOnly}
            value={draft[field]}
            error={faults[`clusterDefaults.${field}`]}
            onChange={(event) => onChange({ ...draft, [field]: event.target.value })}
          />
        ))}
      </div>
    </fieldset>
  );
}
