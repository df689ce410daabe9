import { spawn } from "node:child_process";
import { type ButlerError, Conflict, Forbidden, InvalidInput, Unavailable } from "@butler/std";

/** The kubectl program and the cluster that it connects to. */
export interface KubectlOptions {
  /** The path of the program. */
  readonly program: string;
  readonly kubeconfig: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** The API server's reasons as kubectl prints them, and the error of each. */
const refusals: readonly (readonly [RegExp, (message: string) => ButlerError])[] = [
  [/\((AlreadyExists|Conflict)\)/, (message) => new Conflict(message)],
  [/\(Forbidden\)/, (message) => new Forbidden(message)],
  [/\((Invalid|BadRequest)\)| is invalid:/, (message) => new InvalidInput(message)],
];

/** Runs kubectl against one cluster. */
export class Kubectl {
  readonly #options: KubectlOptions;

  constructor(options: KubectlOptions) {
    this.#options = options;
  }

  /** Runs a command, with objects on its standard input if there are any, and returns its output. */
  async run(args: readonly string[], objects?: readonly object[]): Promise<string> {
    const { program, kubeconfig, environment = process.env, signal } = this.#options;
    const child = spawn(program, ["--kubeconfig", kubeconfig, ...args], { env: environment, signal });
    const printed: Buffer[] = [];
    const complaint: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => complaint.push(chunk));
    // A kubectl that exits before it has read all input reports the reason on standard error.
    child.stdin.on("error", () => undefined);
    child.stdin.end(objects === undefined ? "" : JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
    const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    if (code !== 0) throw explain(args, Buffer.concat(complaint).toString().trim());
    return Buffer.concat(printed).toString();
  }

  /** Applies objects server-side, in the given order; takes over fields of other managers. */
  async apply(objects: readonly object[], fieldManager?: string): Promise<void> {
    const manager = fieldManager === undefined ? [] : [`--field-manager=${fieldManager}`];
    await this.run(["apply", "--server-side", "--force-conflicts", ...manager, "-f", "-"], objects);
  }

  /** Reads an object, undefined when it is not found, or a list of objects. */
  async get<Shape>(...args: readonly string[]): Promise<Shape | undefined> {
    const printed = await this.run(["get", ...args, "--ignore-not-found", "-o", "json"]);
    return printed.trim() === "" ? undefined : (JSON.parse(printed) as Shape);
  }
}

function explain(args: readonly string[], complaint: string): ButlerError {
  const message = `kubectl ${args[0] ?? ""}: ${complaint}`;
  const refusal = refusals.find(([pattern]) => pattern.test(complaint));
  return refusal === undefined ? new Unavailable(message) : refusal[1](message);
}
