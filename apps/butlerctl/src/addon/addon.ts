import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { catalogCommand } from "./catalog.ts";
import { disableCommand } from "./disable.ts";
import { enableCommand } from "./enable.ts";
import { listCommand } from "./list.ts";
import { rollbackCommand } from "./rollback.ts";
import { statusCommand } from "./status.ts";
import { upgradeCommand } from "./upgrade.ts";
import { valuesCommand } from "./values.ts";

/** `butlerctl addon`, with all of its commands. */
export function addonGroup(terminal: Terminal): Command {
  const group = new Command("addon").description("Manage cluster add-ons").alias("addons");
  const looking = [catalogCommand, listCommand, statusCommand, valuesCommand];
  const changing = [enableCommand, upgradeCommand, rollbackCommand, disableCommand];
  for (const command of [...looking, ...changing]) group.addCommand(command(terminal));
  return group;
}
