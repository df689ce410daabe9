import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { listCommand } from "./list.ts";

/** `butlerctl env`, with all of its commands. */
export function environmentGroup(terminal: Terminal): Command {
  return new Command("env")
    .description("Show team environments, such as dev and prod")
    .alias("environment")
    .addCommand(listCommand(terminal));
}
