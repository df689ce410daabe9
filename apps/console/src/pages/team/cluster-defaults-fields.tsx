import { TextField } from "@butler/ui";
import type { DefaultsDraft } from "./cluster-defaults.ts";

/** The fields of presets. */
export interface ClusterDefaultsFieldsProps {
  readonly draft: DefaultsDraft;
  readonly faults: Readonly<Record<string, string>>;
  readonly isReadOnly?: boolean;
  /** Where an empty field gets its value from. */
  readonly origin: string;
  readonly onChange: (draft: DefaultsDraft) => void;
}

const fields: readonly (readonly [keyof DefaultsDraft, string, string])[] = [
  ["kubernetesVersion", "Kubernetes version", "v1.34.1"],
  ["workerCount", "Workers", ""],
  ["workerCPU", "CPU cores of a worker", ""],
  ["workerMemoryGi", "Memory of a worker (GiB)", ""],
  ["workerDiskGi", "Disk of a worker (GiB)", ""],
  ["defaultAddons", "Add-ons, by name", "cilium, cert-manager"],
];

/** What new clusters begin with, for a team or an environment. */
export function ClusterDefaultsFields({ draft, faults, isReadOnly = false, ...rest }: ClusterDefaultsFieldsProps) {
  const { origin, onChange } = rest;
  return (
    <fieldset className="b-form">
      <legend className="b-field-label">What new clusters begin with</legend>
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
