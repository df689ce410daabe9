import { SelectField } from "@butler/ui";
import { useId } from "react";
import { versionFault } from "@butler/api";
import { textAt } from "./draft.ts";
import { faultOf } from "./findings.ts";
import { PresetField } from "./preset-field.tsx";
import { presetsOf } from "./presets.ts";
import { setting, type StepProps } from "./step-props.ts";

const systems = [
  { value: "", label: "Rocky Linux, as the platform has it" },
  { value: "rocky", label: "Rocky Linux" },
  { value: "flatcar", label: "Flatcar" },
  { value: "talos", label: "Talos" },
  { value: "kairos", label: "Kairos" },
  { value: "bottlerocket", label: "Bottlerocket" },
];

const replicas = [
  { value: "", label: "1, as the platform has it" },
  { value: "1", label: "1" },
  { value: "2", label: "2" },
  { value: "3", label: "3, stays up while one is away" },
];

/** The second step: Kubernetes, what the machines run, and how many control planes stand behind one another. */
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
      {allowed.length > 0 && <p className="b-field-hint">The team may use {allowed.join(", ")}.</p>}
      <SelectField
        label="Operating system"
        hint="What the worker machines run."
        options={systems}
        value={system ?? ""}
        error={faultOf(findings, "workers.machineTemplate.os.type")}
        onChange={(event) => set("workers.machineTemplate.os.type", event.target.value || undefined)}
      />
      <SelectField
        label="Replicas of the control plane"
        hint="The control plane is hosted by the platform and takes up none of the team's machines."
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
  if (allowed.length > 0 && !allowed.includes(version)) return `The team may use ${allowed.join(", ")}.`;
  const fault = versionFault(version);
  return fault === undefined ? undefined : `The version ${fault}.`;
}
