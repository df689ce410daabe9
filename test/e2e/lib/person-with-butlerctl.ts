import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "@butler/testkit";

/** Result of a command. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  /** The user's home directory. */
  readonly directory: string;
  /** An existing kubeconfig; by default a separate, initially empty one. */
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

  /** A path in the user's home directory. */
  file(name: string): string {
    return join(this.#directory, name);
  }

  /** Runs a command to completion. */
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

  /** Starts a command; `leave` kills it if it is still running. */
  async start(words: readonly string[], input = "") {
    await mkdir(this.#directory, { recursive: true });
    const child = spawn(program, words, {
      env: {
        // kubectl runs the same program by name to get tokens.
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

  /** Kills everything that is still running. */
  leave(): void {
    for (const child of this.#running) child.kill("SIGKILL");
  }
}
