import { Button, TextField } from "@butler/ui";
import { type ComponentProps, useState } from "react";
import type { Preset } from "./presets.ts";

/** A field that need not be filled in. */
export interface PresetFieldProps extends Pick<
  ComponentProps<"input">,
  "list" | "inputMode" | "className" | "autoComplete"
> {
  readonly label: string;
  readonly error: string | undefined;
  /** What the person chose; undefined while they leave it open. */
  readonly value: string | undefined;
  readonly preset: Preset;
  /** Undefined leaves the field open again. */
  readonly onChange: (value: string | undefined) => void;
}

/** A field filled in with what applies when nothing is chosen, and who decided it. */
export function PresetField({ value, preset, onChange, ...rest }: PresetFieldProps) {
  // While somebody is typing the field may be empty without the preset jumping into it.
  const [typed, setTyped] = useState<string>();
  const change = (text: string): void => {
    setTyped(text);
    onChange(text === "" ? undefined : text);
  };
  const hint =
    value === undefined ? (
      `${preset.value} comes from ${preset.from}.`
    ) : (
      <>
        Your choice; {preset.from} has {preset.value}.{" "}
        <Button kind="quiet" onClick={() => onChange(undefined)}>
          Use {preset.value}
        </Button>
      </>
    );
  return (
    <TextField
      {...rest}
      value={typed ?? value ?? preset.value}
      onChange={(event) => change(event.target.value)}
      onBlur={() => setTyped(undefined)}
      hint={hint}
    />
  );
}
