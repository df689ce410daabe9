import { outputOption } from "@butler/cli-kit";
import type { Command } from "commander";

/** Adds the options of a list: its form, its header and `--watch`. */
export function withRowsOptions(command: Command): Command {
  return command
    .addOption(outputOption())
    .option("--no-headers", "leave out the titles of the columns")
    .option("-w, --watch", "go on and show each change");
}
