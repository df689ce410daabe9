import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CliRun } from "./person-with-butlerctl.ts";

interface Surroundings {
  /** Working directory of commands, and its files. */
  readonly directory: string;
  /** Home of the operator's engines. */
  readonly engines: string;
  readonly kubeconfig: string;
}

/** Options of a run. */
interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const program = fileURLToPath(new URL("../../../bin/butleradm", import.meta.url));

/** A platform operator with the real command line. Records the commands that were run. */
export class OperatorWithButleradm {
  readonly #surroundings: Surroundings;
  readonly #running = new Set<ChildProcessWithoutNullStreams>();
  readonly #wentWell: string[] = [];

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** A path in the folder that commands run in. */
  file(name: string): string {
    return join(this.#surroundings.directory, name);
  }

  /** Runs a command to completion; its words must not contain spaces. */
  async run(line: string, { input = "", environment = {} }: RunOptions = {}): Promise<CliRun> {
    const { directory, engines, kubeconfig } = this.#surroundings;
    const { PATH, HOME } = process.env;
    const child = spawn(program, line.split(" "), {
      cwd: directory,
      env: { PATH, HOME, BUTLER_HOME: engines, KUBECONFIG: kubeconfig, ...environment },
    });
    this.#running.add(child);
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.stdin.end(input);
    const [code] = (await once(child, "close")) as [number | null];
    this.#running.delete(child);
    if (code === 0) this.sawWell(line);
    return { code, ...output };
  }

  /** Records a command that succeeded elsewhere, such as in a terminal. */
  sawWell(line: string): void {
    this.#wentWell.push(line);
  }

  /** The commands that have never succeeded. */
  missing(commands: readonly string[]): string[] {
    return commands.filter((command) => !this.#wentWell.some((line) => `${line} `.startsWith(`${command} `)));
  }

  /** Kills everything that is still running. */
  leave(): void {
    for (const child of this.#running) child.kill("SIGKILL");
  }
}
