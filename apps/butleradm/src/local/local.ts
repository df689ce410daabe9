import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { downCommand } from "./down.ts";
import { resetCommand } from "./reset.ts";
import { upCommand } from "./up.ts";
import { imagesGroup } from "./images.ts";
import { doctorCommand } from "./doctor.ts";
import { kubeconfigCommand } from "./kubeconfig.ts";
import { logsCommand } from "./logs.ts";
import { statusCommand } from "./status.ts";

/** `butleradm local`, with all of its commands: a real Kubernetes on this machine. */
export function localGroup(terminal: Terminal): Command {
  const group = new Command("local")
    .description("Run Kubernetes on this machine with the local engine")
    .option("--name <engine>", "name of the engine", "local");
  for (const command of [
    upCommand,
    downCommand,
    resetCommand,
    statusCommand,
    kubeconfigCommand,
    logsCommand,
    imagesGroup,
    doctorCommand,
  ]) {
    group.addCommand(command(terminal));
  }
  return group;
}
