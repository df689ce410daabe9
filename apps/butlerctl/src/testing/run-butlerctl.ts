import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
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
  /** What has come so far. */
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<Run>;
}

export interface RunOptions {
  readonly kubeconfig: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What is on standard input. */
  readonly input?: string;
}

/** Starts the real command line as a process of its own, without a terminal. */
export function startButlerctl(words: readonly string[], options: RunOptions): RunningCommand {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH, HOME, KUBECONFIG: options.kubeconfig, ...options.environment },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin.end(options.input ?? "");
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }));
  return { process: child, output, ended };
}

/** Runs the command line to its end. */
export function runButlerctl(words: readonly string[], options: RunOptions): Promise<Run> {
  return startButlerctl(words, options).ended;
}

/** Runs the command line in a terminal of its own (`script` of util-linux) and answers each question as it comes. */
export async function runAtTerminal(
  words: readonly string[],
  typed: readonly string[],
  options: RunOptions,
): Promise<string> {
  const { PATH, HOME } = process.env;
  const command = [process.execPath, main, ...words].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-q", "-e", "-c", command, "/dev/null"], {
    env: { PATH, HOME, TERM: "dumb", SHELL: "/bin/sh", KUBECONFIG: options.kubeconfig, ...options.environment },
  });
  let seen = "";
  let answered = 0;
  const waiting = [...typed];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen += text;
    // A question ends with a blank and no end of the line; what was answered before is not asked again.
    if (!/[:\]] $/.test(seen.slice(answered))) return;
    answered = seen.length;
    child.stdin.write(`${waiting.shift() ?? ""}\n`);
  });
  await once(child, "close");
  return seen;
}
