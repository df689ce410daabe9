import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { addCommand, removeCommand, validateCommand } from "./catalog-changing.ts";
import { listCommand as catalogListCommand, showCommand } from "./catalog-looking.ts";
import { installCommand, listCommand, statusCommand, uninstallCommand } from "./management.ts";

/** `butleradm addon`, with all of its commands. */
export function addonGroup(terminal: Terminal): Command {
  const catalog = new Command("catalog").description("Manage the add-on catalog");
  for (const command of [catalogListCommand, showCommand, addCommand, validateCommand, removeCommand]) {
    catalog.addCommand(command(terminal));
  }
  const group = new Command("addon")
    .description("Manage the add-on catalog and the add-ons of the management cluster")
    .alias("addons")
    .addCommand(catalog);
  for (const command of [listCommand, statusCommand, installCommand, uninstallCommand]) {
    group.addCommand(command(terminal));
  }
  return group;
}
