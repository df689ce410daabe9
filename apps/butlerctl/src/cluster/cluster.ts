import { addLazily, type LazyCommand, type Terminal } from "@butler/cli-kit";
import { Command } from "commander";

/** `butlerctl cluster`, with the command that is called, or all of them. */
export function clusterGroup(terminal: Terminal, words: readonly string[] | undefined): Promise<Command> {
  const group = new Command("cluster").description("Manage Kubernetes clusters").alias("clusters");
  return addLazily(group, clusterCommands(terminal), words);
}

function clusterCommands(terminal: Terminal): readonly LazyCommand[] {
  return [
    { names: ["list", "ls"], load: async () => (await import("./list.ts")).listCommand(terminal) },
    { names: ["get"], load: async () => (await import("./get.ts")).getCommand(terminal) },
    { names: ["describe"], load: async () => (await import("./describe.ts")).describeCommand(terminal) },
    { names: ["why"], load: async () => (await import("./why.ts")).whyCommand(terminal) },
    { names: ["plan"], load: async () => (await import("./preview-creation.ts")).planCommand(terminal) },
    { names: ["nodes"], load: async () => (await import("./nodes.ts")).nodesCommand(terminal) },
    { names: ["events"], load: async () => (await import("./events.ts")).eventsCommand(terminal) },
    { names: ["logs"], load: async () => (await import("./logs.ts")).logsCommand(terminal) },
    { names: ["certs"], load: async () => (await import("./certs.ts")).certsCommand(terminal) },
    { names: ["wait"], load: async () => (await import("./wait.ts")).waitCommand(terminal) },
    { names: ["export"], load: async () => (await import("./export.ts")).exportCommand(terminal) },
    { names: ["shell"], load: async () => (await import("./shell.ts")).shellSubcommand(terminal) },
    { names: ["create"], load: async () => (await import("./create.ts")).createCommand(terminal) },
    { names: ["scale"], load: async () => (await import("./scale.ts")).scaleCommand(terminal) },
    { names: ["upgrade"], load: async () => (await import("./upgrade.ts")).upgradeCommand(terminal) },
    { names: ["kubeconfig"], load: async () => (await import("./kubeconfig.ts")).kubeconfigCommand(terminal) },
    { names: ["rotate"], load: async () => (await import("./rotate.ts")).rotateCommand(terminal) },
    { names: ["env", "environment"], load: async () => (await import("./env/env.ts")).environmentGroup(terminal) },
    { names: ["destroy"], load: async () => (await import("./destroy.ts")).destroyCommand(terminal) },
  ];
}
