import { outputOption } from "@butler/cli-kit";
import type { Command } from "commander";

/** Adds the options of a list: its form, its header and `--watch`. */
export function withRowsOptions(command: Command): Command {
  return command
    .addOption(outputOption())
    .option("--no-headers", "do not print headers")
    .option("-w, --watch", "watch for changes");
}
