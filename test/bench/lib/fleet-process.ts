import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Unavailable } from "@butler/std";
import { eventually } from "@butler/testkit";

/** Clock ticks per second in /proc/<pid>/stat; the same on every Linux that Node runs on. */
const ticksPerSecond = 100;
const startTimeoutMs = 120_000;
const stopGraceMs = 10_000;

/** The program to start, and its readiness check. */
export interface ProgramOptions {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Directory for the program's output. */
  readonly directory: string;
  /** URL that returns 2xx once the program is ready; without it, the program counts as ready immediately. */
  readonly readyUrl?: string;
}

/** Current resource usage of a process. */
export interface ProcessUse {
  readonly cpuSeconds: number;
  readonly residentMiB: number;
}

/** A program started by the benchmark; its output goes to a file. */
export class FleetProcess {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #logFile: string;

  private constructor(child: ChildProcess, name: string, logFile: string) {
    this.#child = child;
    this.#name = name;
    this.#logFile = logFile;
  }

  /** Starts a program and waits until it is ready. */
  static async start({ name, program, args, directory, readyUrl }: ProgramOptions): Promise<FleetProcess> {
    const logFile = join(directory, `${name}.log`);
    const log = openSync(logFile, "w");
    const { PATH, HOME } = process.env;
    const child = spawn(program, args, { stdio: ["ignore", log, log], env: { PATH, HOME }, cwd: directory });
    closeSync(log);
    // Detected by `exitCode` and by failed requests.
    child.on("error", () => undefined);
    const started = new FleetProcess(child, name, logFile);
    try {
      if (readyUrl !== undefined) await started.#ready(readyUrl);
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  /** Its resource usage. */
  async use(): Promise<ProcessUse> {
    const { pid } = this.#child;
    const [stat, status] = await Promise.all(
      ["stat", "status"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8")),
    );
    // The command name is in parentheses and may contain spaces; the rest is fixed.
    const fields = (stat ?? "").slice((stat ?? "").lastIndexOf(")") + 2).split(" ");
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      residentMiB: Number(/^VmRSS:\s+(\d+) kB/m.exec(status ?? "")?.[1] ?? Number.NaN) / 1_024,
    };
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Fails if the program has exited unexpectedly. */
  check(): void {
    const { exitCode, signalCode } = this.#child;
    if (!this.#hasEnded) return;
    throw new Unavailable(
      `${this.#name} has ended with ${exitCode ?? signalCode ?? "no process"}:\n${this.#lastWords}`,
    );
  }

  /** Stops it, with SIGTERM first. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (this.#hasEnded) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    const impatience = setTimeout(() => child.kill("SIGKILL"), stopGraceMs);
    await ended;
    clearTimeout(impatience);
  }

  async #ready(url: string): Promise<void> {
    const what = `${this.#name} at ${url}`;
    const answers = async (): Promise<boolean> => this.#hasEnded || (await fetch(url)).ok;
    try {
      await eventually(answers, { timeoutMs: startTimeoutMs, intervalMs: 100, what });
      this.check();
    } catch (error) {
      throw new Unavailable(`${what} did not start:\n${this.#lastWords}`, { cause: error });
    }
  }

  get #lastWords(): string {
    return readFileSync(this.#logFile, "utf8").trimEnd().split("\n").slice(-15).join("\n");
  }

  get #hasEnded(): boolean {
    const { exitCode, signalCode, pid } = this.#child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }
}

/** This many free local ports. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.on("error", reject);
          server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            resolve(typeof address === "object" && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
