import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { engineDirectory } from "../../tool-set.ts";

const main = join(engineDirectory, "..", "apps", "butleradm", "src", "main.ts");

/** The codes that commands end with, as the reference of `butleradm` documents them. */
export const exitCodes = { refused: 4, conflict: 5, unavailable: 6 } as const;

/** How to call the command line. */
export interface CommandOptions {
  readonly home: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** A program that starts it, with arguments, for example as another user. */
  readonly under?: readonly string[];
}

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly printed: string;
  readonly said: string;
}

/** A command that may still be running. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Its output so far. */
  said(): string;
  readonly ended: Promise<CommandResult>;
}

/** Starts `butleradm local ...` like a user. */
export function startCommand(args: readonly string[], options: CommandOptions): RunningCommand {
  const { home, environment = {}, under = [] } = options;
  const [program = process.execPath, ...rest] = [...under, process.execPath, main, "local", ...args];
  const env = { ...process.env, BUTLER_HOME: home, ...environment };
  const child = spawn(program, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [printed, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "close").then(() => ({ code: child.exitCode, printed, said }));
  return { child, said: () => said, ended };
}
