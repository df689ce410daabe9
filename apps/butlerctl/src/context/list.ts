import { type Terminal, withExamples } from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import { Command } from "commander";
import { withRowsOptions } from "../rows-command.ts";
import { everySoOften, type RowsOptions, showRows } from "../show-rows.ts";
import { readConfigFiles } from "./config-files.ts";
import { contextsIn } from "./kubeconfig-contexts.ts";
import { isPlatform, probe, type ProbedContext } from "./probe.ts";
import { withoutContext } from "./find-context.ts";
import { contextView } from "./context-view.ts";

const intervalMs = 5_000;

interface ListOptions extends SessionOptions, RowsOptions {
  readonly all?: boolean;
  readonly offline?: boolean;
}

/** `butlerctl context list`. */
export function listCommand(terminal: Terminal): Command {
  const command = withRowsOptions(
    new Command("list")
      .alias("ls")
      .description("List kubeconfig contexts that point to Butler platforms")
      .option("--all", "include unreachable contexts and contexts for clusters without Butler")
      .option("--offline", "list all contexts without contacting their servers"),
  );
  command.action(async (_options, self: Command) => {
    const options = self.optsWithGlobals<ListOptions>();
    await showRows(terminal, options, {
      view: contextView,
      read: async () => {
        const found = await probedContexts(terminal, options);
        if (options.all || options.offline) return found;
        const shown = found.filter(isPlatform);
        const hidden = found.length - shown.length;
        if (hidden > 0 && !options.watch) terminal.say(hiddenText(hidden));
        return shown;
      },
      idOf: ({ name }) => name,
      changes: (signal) => everySoOften(terminal.clock, intervalMs, signal),
      nothing: "No contexts point to a Butler platform. Sign in with: butlerctl login --server https://...",
    });
  });
  return withExamples(command, ["butlerctl context list", "butlerctl context list --all -o wide"]);
}

function hiddenText(count: number): string {
  return count === 1
    ? "1 context is hidden because it is unreachable or not a Butler platform. Show it with --all."
    : `${count} contexts are hidden because they are unreachable or not Butler platforms. Show them with --all.`;
}

async function probedContexts(terminal: Terminal, options: ListOptions): Promise<ProbedContext[]> {
  const entries = contextsIn(await readConfigFiles(terminal, options.kubeconfig));
  if (options.offline) return entries.map((entry) => ({ ...entry, leadsTo: "not asked", note: "" }));
  return Promise.all(entries.map((entry) => probe(terminal, withoutContext(options), entry)));
}
