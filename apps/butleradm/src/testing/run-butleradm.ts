import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** What a run of the command line came to. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that is running. */
export interface RunningCommand {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Run>;
}

export interface RunOptions {
  readonly kubeconfig: string;
  /** Where it runs; relative files are looked for here. */
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What is on standard input. */
  readonly input?: string;
}

/** Starts the real command line as a process of its own, without a terminal. */
export function startButleradm(words: readonly string[], options: RunOptions): RunningCommand {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [main, ...words], {
    cwd: options.directory,
    env: { PATH, HOME, KUBECONFIG: options.kubeconfig, ...options.environment },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin.end(options.input ?? "");
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }));
  return { process: child, ended };
}

/** Runs a command line to its end; words have no spaces in them. */
export function runButleradm(
  line: string,
  options: Partial<RunOptions> & Pick<RunOptions, "kubeconfig">,
): Promise<Run> {
  return startButleradm(line.split(" "), { directory: tmpdir(), ...options }).ended;
}
