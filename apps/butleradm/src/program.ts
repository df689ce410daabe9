import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { listCommand } from "./network/list.ts";
import { showCommand } from "./network/show.ts";

/** The commands that speak to a management cluster; `local`, which makes one, stands beside them. */
export function buildProgram(terminal: Terminal): Command {
  const network = new Command("network").description("Pools of addresses: what is used, by whom, and what is left");
  for (const command of [listCommand, showCommand]) network.addCommand(command(terminal));
  return new Command("butleradm")
    .description("Butler for the people who run it")
    .option("--kubeconfig <file>", "kubeconfig of the management cluster; KUBECONFIG or ~/.kube/config when absent")
    .option("--context <name>", "context of the kubeconfig; its current one when absent")
    .addCommand(network)
    .addHelpText(
      "after",
      "\nA Kubernetes on this machine: butleradm local up|down|reset|status|kubeconfig|logs|images|doctor",
    );
}
