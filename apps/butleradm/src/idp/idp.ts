import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { addCommand } from "./add.ts";
import { removeCommand } from "./remove.ts";
import { listCommand } from "./list.ts";
import { presetsCommand } from "./presets.ts";
import { testCommand } from "./test-issuer.ts";

/** `butleradm idp`, with all of its commands. */
export function idpGroup(terminal: Terminal): Command {
  const group = new Command("idp").description("Manage identity providers");
  for (const command of [listCommand, presetsCommand, addCommand, testCommand, removeCommand]) {
    group.addCommand(command(terminal));
  }
  return group;
}
