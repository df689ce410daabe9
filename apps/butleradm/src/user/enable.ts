import type { Terminal } from "@butler/cli-kit";
import { type Command } from "commander";
import { setDisabledCommand } from "./set-disabled.ts";

/** `butleradm user enable`. */
export function enableCommand(terminal: Terminal): Command {
  return setDisabledCommand(terminal, {
    name: "enable",
    description: "Enable a disabled account",
    disabled: false,
    outcome: "enabled",
  });
}
