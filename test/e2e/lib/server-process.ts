import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually } from "@butler/testkit";

/** Options of a replica of the server. */
export interface ServerProcessOptions {
  readonly kubeconfig: string;
  readonly port: number;
  /** URL of the console; the same for all replicas. */
  readonly publicUrl: string;
}

const main = fileURLToPath(new URL("../../../apps/butler/src/main.ts", import.meta.url));

/** A replica of Butler's server as a separate process that can be killed. */
export class ServerProcess {
  readonly url: string;
  readonly #options: ServerProcessOptions;
  #child: ChildProcess | undefined;
  #said = "";

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    this.url = `http://127.0.0.1:${options.port}`;
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    const { kubeconfig, port, publicUrl } = this.#options;
    const own = ["--host=127.0.0.1", `--port=${port}`, `--public-url=${publicUrl}`, "--notice-seconds=0"];
    const args = [main, "server", `--kubeconfig=${kubeconfig}`, ...own, "--no-terminals"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.on("data", (chunk: Buffer) => (this.#said = `${this.#said}${chunk.toString()}`.slice(-4_000)));
    this.#child = child;
    await eventually(() => this.#isReady(child), { timeoutMs: 60_000, what: () => `a server: ${this.#said}` });
  }

  /** Kills it like a power failure. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async #isReady(child: ChildProcess): Promise<boolean> {
    if (child.exitCode !== null) throw new Error(`the server has ended: ${this.#said}`);
    const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
    return answer?.status === 200;
  }
}
