import { SelectField } from "@butler/ui";
import { useId } from "react";
import { versionFault } from "@butler/api";
import { textAt } from "./draft.ts";
import { faultOf } from "./findings.ts";
import { PresetField } from "./preset-field.tsx";
import { presetsOf } from "./presets.ts";
import { setting, type StepProps } from "./step-props.ts";

const systems = [
  { value: "", label: "Rocky Linux (platform default)" },
  { value: "rocky", label: "Rocky Linux" },
  { value: "flatcar", label: "Flatcar" },
  { value: "talos", label: "Talos" },
  { value: "kairos", label: "Kairos" },
  { value: "bottlerocket", label: "Bottlerocket" },
];

const replicas = [
  { value: "", label: "1 (platform default)" },
  { value: "1", label: "1" },
  { value: "2", label: "2" },
  { value: "3", label: "3 (tolerates the loss of one)" },
];

/** Second step: Kubernetes version, operating system and control plane replicas. */
export function VersionStep(props: StepProps) {
  const { draft, team, findings } = props;
  const set = setting(props);
  const listId = useId();
  const preset = presetsOf(team, draft.environment).kubernetesVersion;
  const allowed = team.resourceLimits?.allowedKubernetesVersions ?? [];
  const version = textAt(draft.spec, "kubernetesVersion");
  const system = textAt(draft.spec, "workers.machineTemplate.os.type");
  return (
    <>
      <PresetField
        label="Kubernetes version"
        className="b-mono"
        autoComplete="off"
        list={listId}
        value={version}
        preset={preset}
        error={faultOf(findings, "kubernetesVersion") ?? versionWords(version, allowed)}
        onChange={(value) => set("kubernetesVersion", value)}
      />
      <datalist id={listId}>
        {[...new Set([...allowed, preset.value])].map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {allowed.length > 0 && <p className="b-field-hint">This team can use only {allowed.join(", ")}.</p>}
      <SelectField
        label="Operating system"
        hint="Runs on the worker nodes."
        options={systems}
        value={system ?? ""}
        error={faultOf(findings, "workers.machineTemplate.os.type")}
        onChange={(event) => set("workers.machineTemplate.os.type", event.target.value || undefined)}
      />
      <SelectField
        label="Control plane replicas"
        hint="Hosted by the platform. Does not use any of the team's nodes."
        options={replicas}
        value={textAt(draft.spec, "controlPlane.replicas") ?? ""}
        error={faultOf(findings, "controlPlane.replicas")}
        onChange={(event) =>
          set("controlPlane.replicas", event.target.value === "" ? undefined : Number(event.target.value))
        }
      />
    </>
  );
}

function versionWords(version: string | undefined, allowed: readonly string[]): string | undefined {
  if (version === undefined) return undefined;
  if (allowed.length > 0 && !allowed.includes(version)) return `This team can use only ${allowed.join(", ")}.`;
  const fault = versionFault(version);
  return fault === undefined ? undefined : `The version ${fault}.`;
}
