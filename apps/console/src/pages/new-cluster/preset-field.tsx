import { Button, TextField } from "@butler/ui";
import { type ComponentProps, useState } from "react";
import type { Preset } from "./presets.ts";

/** An optional field with a default. */
export interface PresetFieldProps extends Pick<
  ComponentProps<"input">,
  "list" | "inputMode" | "className" | "autoComplete"
> {
  readonly label: string;
  readonly error: string | undefined;
  /** The entered value; undefined for the default. */
  readonly value: string | undefined;
  readonly preset: Preset;
  /** Undefined resets to the default. */
  readonly onChange: (value: string | undefined) => void;
}

/** A field prefilled with the default and its source. */
export function PresetField({ value, preset, onChange, ...rest }: PresetFieldProps) {
  // While typing, the field may be empty without showing the default.
  const [typed, setTyped] = useState<string>();
  const change = (text: string): void => {
    setTyped(text);
    onChange(text === "" ? undefined : text);
  };
  const hint =
    value === undefined ? (
      `Default from ${preset.from}: ${preset.value}.`
    ) : (
      <>
        Default from {preset.from}: {preset.value}.{" "}
        <Button kind="quiet" onClick={() => onChange(undefined)}>
          Reset to {preset.value}
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
