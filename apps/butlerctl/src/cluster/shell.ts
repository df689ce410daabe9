import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { QuietFailure, type Terminal, UsageError } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import { keyText } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import type { Command } from "commander";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import { findCluster } from "./find-cluster.ts";
import { ForwardedSignals } from "./forwarded-signals.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { entryNames, renameEntries } from "./kubeconfig-file.ts";

/** `butlerctl cluster shell`. */
export function shellSubcommand(terminal: Terminal): Command {
  return clusterCommand("shell", "Run a shell or a command with KUBECONFIG set for a cluster", [
    "butlerctl cluster shell blue",
    "butlerctl cluster shell blue -- kubectl get nodes",
    "butlerctl cluster shell blue -- sh -c 'helm list -A | grep failed'",
  ])
    .argument("[command...]", "command and its arguments, after -- (default: your shell)")
    .action(async (...given: readonly unknown[]) => {
      const self = given.at(-1) as Command;
      const options = self.optsWithGlobals<ClusterOptions>();
      const { name, words } = shellWords(self.args, options);
      const { text, title } = await withSession(terminal, options, async (session) => {
        const cluster = await findCluster(session, { ...options, name });
        const kubeconfig = await readKubeconfig(session, cluster);
        return {
          text: renameEntries(kubeconfig, entryNames(cluster.metadata)),
          title: keyText(cluster.metadata),
        };
      });
      const shell = terminal.environment["SHELL"] || "/bin/sh";
      if (words.length === 0) {
        if (!terminal.isInteractive) {
          throw new UsageError("an interactive shell requires a terminal", { hint: "Pass a command after --." });
        }
        terminal.say(`KUBECONFIG points to ${title} in this shell. Type exit to leave.`);
      }
      const code = await runWith(text, words.length === 0 ? [shell] : words, title);
      // The exit code of the command is the result, without an additional message.
      if (code !== 0) throw new QuietFailure(code);
    });
}

/** The cluster and the command. With `--name` every word belongs to the command. */
export function shellWords(
  args: readonly string[],
  options: ClusterOptions,
): { readonly name: string; readonly words: readonly string[] } {
  if (options.name !== undefined) return { name: requireName(undefined, options), words: args };
  const [first, ...words] = args;
  return { name: requireName(first, {}), words };
}

/** Runs a command with a kubeconfig that exists only as long as it does. */
async function runWith(
  kubeconfig: string,
  [program = "", ...words]: readonly string[],
  title: string,
): Promise<number> {
  // Before anything exists that needs cleanup.
  const signals = new ForwardedSignals(process, { isTerminal: process.stdin.isTTY });
  const directory = await mkdtemp(join(tmpdir(), "butlerctl-shell-"));
  try {
    const file = join(directory, "kubeconfig");
    await writeFile(file, kubeconfig, { mode: 0o600, flag: "wx" });
    const env = { ...process.env, KUBECONFIG: file, BUTLER_CLUSTER: title };
    return await ended(spawn(program, words, { env, stdio: "inherit" }), program, signals);
  } finally {
    await rm(directory, { recursive: true, force: true });
    signals.stop();
  }
}

function ended(child: ChildProcess, program: string, signals: ForwardedSignals): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "ENOENT" ? "command not found" : error.message;
      reject(new InvalidInput(`cannot run ${program}: ${why}`));
    });
    child.once("close", (code, signal) => resolve(exitCodeOfChild(code, signal)));
    signals.passTo(child);
  });
}

/** The exit code of a command as shells report it: 128 plus the signal number if a signal ended it. */
export function exitCodeOfChild(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
