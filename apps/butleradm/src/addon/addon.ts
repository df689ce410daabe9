import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { addCommand } from "./catalog/add.ts";
import { removeCommand } from "./catalog/remove.ts";
import { validateCommand } from "./catalog/validate.ts";
import { listCommand as catalogListCommand } from "./catalog/list.ts";
import { showCommand } from "./catalog/show.ts";
import { installCommand } from "./install.ts";
import { listCommand } from "./list.ts";
import { statusCommand } from "./status.ts";
import { uninstallCommand } from "./uninstall.ts";

/** `butleradm addon`, with all of its commands. */
export function addonGroup(terminal: Terminal): Command {
  const catalog = new Command("catalog").description("Manage the add-on catalog");
  for (const command of [catalogListCommand, showCommand, addCommand, validateCommand, removeCommand]) {
    catalog.addCommand(command(terminal));
  }
  const group = new Command("addon")
    .description("Manage the add-on catalog and the add-ons on the management cluster")
    .alias("addons")
    .addCommand(catalog);
  for (const command of [listCommand, statusCommand, installCommand, uninstallCommand]) {
    group.addCommand(command(terminal));
  }
  return group;
}
