import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "@butler/testkit";

/** What a run of the command line came to. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  /** A home of their own. */
  readonly directory: string;
  /** A kubeconfig that is there already; one of their own, empty at first, when absent. */
  readonly kubeconfig?: string;
}

const program = fileURLToPath(new URL("../../../bin/butlerctl", import.meta.url));

/** A user on their own machine with the real command line, and no other files. */
export class PersonWithButlerctl {
  readonly #directory: string;
  readonly #kubeconfig: string;
  readonly #running = new Set<ChildProcessWithoutNullStreams>();

  constructor({ directory, kubeconfig }: Surroundings) {
    this.#directory = directory;
    this.#kubeconfig = kubeconfig ?? this.file("kubeconfig");
  }

  /** A path in the person's home. */
  file(name: string): string {
    return join(this.#directory, name);
  }

  /** Runs a command line to its end. */
  async run(words: readonly string[], input = ""): Promise<CliRun> {
    const { ended } = await this.start(words, input);
    return ended;
  }

  /** Signs in; passes the displayed code to `approve`, which approves it in a browser. */
  async logIn(server: string, approve: (code: string) => Promise<void>): Promise<CliRun> {
    const { output, ended } = await this.start(["login", "--server", server, "--no-browser"]);
    const code = await eventually(() => /enter the code (\S+)/.exec(output.stderr)?.[1], {
      timeoutMs: 30_000,
      what: () => `a code in ${output.stderr}`,
    });
    await approve(code);
    return ended;
  }

  /** Starts a command line; `leave` ends it at the latest. */
  async start(words: readonly string[], input = "") {
    await mkdir(this.#directory, { recursive: true });
    const child = spawn(program, words, {
      env: {
        // kubectl asks the same program for tokens, by its name.
        PATH: `${dirname(program)}:${process.env["PATH"] ?? ""}`,
        HOME: this.#directory,
        KUBECONFIG: this.#kubeconfig,
        BUTLER_CONFIG_DIR: this.file("config"),
      },
    });
    this.#running.add(child);
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.stdin.end(input);
    const ended = once(child, "close").then(([code]): CliRun => {
      this.#running.delete(child);
      return { code: code as number | null, ...output };
    });
    return { output, ended };
  }

  /** Ends everything that still runs. */
  leave(): void {
    for (const child of this.#running) child.kill("SIGKILL");
  }
}
