import { type Terminal, timeoutOption } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import { NotFound } from "@butler/std";
import { type Command, Option } from "commander";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import { findCluster } from "./find-cluster.ts";
import { waitForGoal } from "./wait-for-cluster.ts";
import { goalText, judgeGoal, parseGoal } from "./wait-goal.ts";

interface WaitOptions extends ClusterOptions {
  readonly for: string;
  readonly timeout: number;
}

/** `butlerctl cluster wait`. */
export function waitCommand(terminal: Terminal): Command {
  return clusterCommand("wait", "Wait until a cluster reaches a state, printing progress", [
    "butlerctl cluster wait blue",
    "butlerctl cluster wait blue --for condition=ControlPlaneReady --timeout 10m",
    "butlerctl cluster wait blue --for phase=Ready",
    "butlerctl cluster wait blue --for delete",
  ])
    .addOption(new Option("--for <goal>", "ready, delete, phase=PHASE, or condition=TYPE[=STATUS]").default("ready"))
    .addOption(timeoutOption("15m"))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<WaitOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      const goal = parseGoal(options.for);
      await withSession(terminal, options, async (session) => {
        const cluster = await findCluster(session, wanted).catch((error: unknown) => {
          // A cluster that does not exist counts as deleted.
          if (goal.until === "delete" && error instanceof NotFound) return undefined;
          throw error;
        });
        if (cluster !== undefined) {
          await waitForGoal({ terminal, session, timeoutMs: options.timeout }, cluster, {
            what: goalText(wanted.name, goal),
            judge: (seen) => judgeGoal(seen, cluster, goal),
          });
        }
        terminal.say(goal.until === "delete" ? `${wanted.name} was deleted.` : `Done: ${doneText(wanted.name, goal)}.`);
      });
    });
}

function doneText(name: string, goal: Parameters<typeof goalText>[1]): string {
  return goalText(name, goal).replace(" to be ", " is ");
}
