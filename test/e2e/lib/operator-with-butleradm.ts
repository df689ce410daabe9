import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CliRun } from "./person-with-butlerctl.ts";

interface Surroundings {
  /** Where commands run, and where their files are. */
  readonly directory: string;
  /** The folder of the operator's engines. */
  readonly engines: string;
  readonly kubeconfig: string;
}

/** What one run has beside its words. */
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

  /** Runs a command line, whose words have no spaces in them, to its end. */
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

  /** Notes a command that went well somewhere else, such as in a terminal. */
  sawWell(line: string): void {
    this.#wentWell.push(line);
  }

  /** Those of some commands that have not once gone well. */
  missing(commands: readonly string[]): string[] {
    return commands.filter((command) => !this.#wentWell.some((line) => `${line} `.startsWith(`${command} `)));
  }

  /** Ends everything that still runs. */
  leave(): void {
    for (const child of this.#running) child.kill("SIGKILL");
  }
}
