import type { Terminal } from "@butler/cli-kit";
import { type Command } from "commander";
import { setDisabledCommand } from "./set-disabled.ts";

/** `butleradm user disable`. */
export function disableCommand(terminal: Terminal): Command {
  return setDisabledCommand(terminal, {
    name: "disable",
    description: "Disable an account: sign the user out everywhere and prevent sign-in",
    disabled: true,
    outcome: "disabled",
  });
}
