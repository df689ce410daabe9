import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { createCommand } from "./cluster/create.ts";
import { describeCommand } from "./cluster/describe.ts";
import { destroyCommand } from "./cluster/destroy.ts";
import { getCommand } from "./cluster/get.ts";
import { kubeconfigCommand } from "./cluster/kubeconfig.ts";
import { listCommand } from "./cluster/list.ts";
import { planCommand } from "./cluster/plan-creation.ts";
import { scaleCommand } from "./cluster/scale.ts";
import { upgradeCommand } from "./cluster/upgrade.ts";
import { whyCommand } from "./cluster/why.ts";

/** The whole command line. */
export function buildProgram(terminal: Terminal): Command {
  const cluster = new Command("cluster")
    .description("Kubernetes clusters: make them, look at them, change them, remove them")
    .alias("clusters");
  const looking = [listCommand, getCommand, describeCommand, whyCommand, planCommand];
  const changing = [createCommand, scaleCommand, upgradeCommand, kubeconfigCommand, destroyCommand];
  for (const command of [...looking, ...changing]) cluster.addCommand(command(terminal));
  return new Command("butlerctl")
    .description("Butler for the people who use it: clusters of your teams, on the Kubernetes API")
    .option("--kubeconfig <file>", "kubeconfig of the management cluster; KUBECONFIG or ~/.kube/config when absent")
    .option("--context <name>", "context of the kubeconfig; its current one when absent")
    .addCommand(cluster);
}
