import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** What a run of a command line came to. */
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
  /** Where it runs; relative files are looked for here. */
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What is on standard input. */
  readonly input?: string;
}

/**
 * The file of a command line's program: the one that people are given, which `npm test` builds before everything else and
 * which starts in a third of the time, or its source where tests are run in another way.
 */
export function programFile(name: "butlerctl" | "butleradm", source: string): string {
  const built = process.env["BUTLER_TEST_PROGRAMS"];
  return built === undefined ? source : join(built, `${name}.cjs`);
}

/** Starts a real command line, whose program is in the file `main`, as a process of its own without a terminal. */
export function startCommandLine(main: string, words: readonly string[], options: RunOptions): RunningCommand {
  const child = spawn(process.execPath, [main, ...words], { cwd: options.directory, env: environmentOf(options) });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin.end(options.input ?? "");
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }));
  return { process: child, output, ended };
}

/** Runs it in a terminal of its own (`script` of util-linux), answers each question as it comes, and gives what was to be seen. */
export async function runAtTerminal(
  main: string,
  words: readonly string[],
  { typed, ...options }: RunOptions & { readonly typed: readonly string[] },
): Promise<string> {
  const command = [process.execPath, main, ...words].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-q", "-e", "-c", command, "/dev/null"], {
    cwd: options.directory,
    env: { TERM: "dumb", SHELL: "/bin/sh", ...environmentOf(options) },
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

/** Nothing of the tests' own environment but what a program cannot do without. */
function environmentOf({ kubeconfig, environment }: RunOptions): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, KUBECONFIG: kubeconfig, ...environment };
}
