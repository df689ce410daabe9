import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { moveCommand } from "./move.ts";

/** `butlerctl cluster env`, with all of its commands. */
export function environmentGroup(terminal: Terminal): Command {
  return new Command("env")
    .description("Manage the environment of a cluster")
    .alias("environment")
    .addCommand(moveCommand(terminal));
}
