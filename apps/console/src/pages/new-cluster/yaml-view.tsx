import { TextAreaField } from "@butler/ui";
import { useState } from "react";
import { draftOfYaml, yamlOf } from "./manifest-yaml.ts";
import type { StepProps } from "./step-props.ts";

/** The draft as a manifest. Valid edits are reflected in the form immediately. */
export function YamlView({ draft, onDraft, team }: Pick<StepProps, "draft" | "onDraft" | "team">) {
  const [text, setText] = useState(() => yamlOf(draft, team));
  const [fault, setFault] = useState<string>();
  const change = (next: string): void => {
    setText(next);
    const read = draftOfYaml(next, team, draft);
    setFault("fault" in read ? read.fault : undefined);
    if ("draft" in read) onDraft(read.draft);
  };
  return (
    <TextAreaField
      label="Cluster manifest"
      hint={
        fault === undefined
          ? "Synchronized with the form. Press Tab to leave the field."
          : "The form keeps the last valid version."
      }
      error={fault}
      className="b-mono n-yaml"
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      rows={Math.min(40, Math.max(16, text.split("\n").length + 1))}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  );
}
