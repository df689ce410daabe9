import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { allocationsGroup } from "./allocations/allocations.ts";
import { createCommand } from "./create.ts";
import { deleteCommand } from "./delete.ts";
import { resizeCommand } from "./resize.ts";
import { listCommand } from "./list.ts";
import { showCommand } from "./show.ts";

/** `butleradm network`, with all of its commands. */
export function networkGroup(terminal: Terminal): Command {
  const network = new Command("network").description("Manage network pools and their address allocations");
  for (const command of [listCommand, showCommand, createCommand, resizeCommand, deleteCommand, allocationsGroup]) {
    network.addCommand(command(terminal));
  }
  return network;
}
