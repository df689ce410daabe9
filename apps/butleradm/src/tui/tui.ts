import { type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import { Command } from "commander";

/** `butleradm tui`. */
export function tuiCommand(terminal: Terminal): Command {
  const command = new Command("tui")
    .description("Open a live dashboard of the whole platform in the terminal")
    .action(async (_options, self: Command) => {
      requireTerminal(terminal);
      // The rendering code is large, and no other command needs it.
      const { runTui } = await import("./run-tui.ts");
      await runTui(terminal, self.optsWithGlobals<SessionOptions>());
    });
  return withExamples(command, ["butleradm tui", "butleradm tui --context production"]);
}

function requireTerminal({ isInteractive, environment }: Terminal): void {
  if (isInteractive && process.stdout.isTTY && environment["TERM"] !== "dumb") return;
  throw new UsageError("the dashboard requires an interactive terminal", {
    hint: 'In scripts, use commands with "-o json", such as "butleradm network list -o json".',
  });
}
