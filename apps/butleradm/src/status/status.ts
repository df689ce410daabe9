import { namespaces } from "@butler/api";
import { outputOption, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { Command } from "commander";
import { CheckFailed } from "../platform/check-failed.ts";
import { readPlatform } from "../platform/read-platform.ts";
import { renderSummary } from "./render-summary.ts";
import { summarise } from "./summary.ts";

interface StatusOptions extends SessionOptions {
  readonly namespace: string;
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm status`. */
export function statusCommand(terminal: Terminal): Command {
  const command = new Command("status")
    .description("Show the status of Butler; exit with code 0 if it is healthy, 1 otherwise")
    .option("-n, --namespace <namespace>", "namespace of Butler's components", namespaces.system)
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (_options, self: Command) => {
      const { namespace, output, ...options } = self.optsWithGlobals<StatusOptions>();
      await withSession(terminal, options, async (session) => {
        const summary = summarise(await readPlatform(session, { namespace, now: terminal.clock.now() }));
        if (output === "table") terminal.print(renderSummary(summary, terminal.paint).join("\n"));
        else terminal.print(renderValue(summary, output));
        if (summary.healthy) return;
        throw new CheckFailed(`Butler is unhealthy: ${summary.troubles.join("; ")}`, {
          hint: "Find the cause with: butleradm doctor",
        });
      });
    });
  return withExamples(command, ["butleradm status", "butleradm status -o json"]);
}
