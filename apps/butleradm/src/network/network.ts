import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { allocationsGroup } from "./allocations.ts";
import { createCommand, deleteCommand, resizeCommand } from "./changing.ts";
import { listCommand } from "./list.ts";
import { showCommand } from "./show.ts";

/** `butleradm network`, with all of its commands. */
export function networkGroup(terminal: Terminal): Command {
  const network = new Command("network").description("Pools of addresses: what is used, by whom, and what is left");
  for (const command of [listCommand, showCommand, createCommand, resizeCommand, deleteCommand, allocationsGroup]) {
    network.addCommand(command(terminal));
  }
  return network;
}
