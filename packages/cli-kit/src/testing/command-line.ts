import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Result of running a command line. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that is running. */
export interface RunningCommand {
  readonly process: ChildProcessWithoutNullStreams;
  /** Output so far. */
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<Run>;
}

export interface RunOptions {
  readonly kubeconfig: string;
  /** Working directory. */
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
}

/**
 * The file of a command line's program: the released bundle, which `npm test` builds first and which starts in a third
 * of the time, or its source when tests are run in another way.
 */
export function programFile(name: "butlerctl" | "butleradm", source: string): string {
  const built = process.env["BUTLER_TEST_PROGRAMS"];
  return built === undefined ? source : join(built, `${name}.cjs`);
}

/** Starts the command line in the file `main` as a separate process without a terminal. */
export function startCommandLine(main: string, words: readonly string[], options: RunOptions): RunningCommand {
  const child = spawn(process.execPath, [main, ...words], { cwd: options.directory, env: environmentOf(options) });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin.end(options.input ?? "");
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }));
  return { process: child, output, ended };
}

/** Runs it in a terminal (`script` of util-linux), answers each prompt, and returns the screen output. */
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
    // A prompt ends with a space and no newline; skip output up to the last answer.
    if (!/[:\]] $/.test(seen.slice(answered))) return;
    answered = seen.length;
    child.stdin.write(`${waiting.shift() ?? ""}\n`);
  });
  await once(child, "close");
  return seen;
}

/** Only the variables of the tests' environment that a program needs. */
function environmentOf({ kubeconfig, environment }: RunOptions): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, KUBECONFIG: kubeconfig, ...environment };
}
