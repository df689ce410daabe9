import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, type TestContext } from "vitest";
import { temporaryDirectory } from "../../testing/temporary-directory.ts";
import { findMarkedProcesses } from "../service-process.ts";
import type { ServiceSpec } from "../service-spec.ts";
import type { ServiceStatus } from "../service-status.ts";
import type { SupervisorClient } from "../supervisor-client.ts";
import { aServiceSpec } from "./service-spec-builder.ts";

/** A server on a Unix socket that records its events. */
const serverScript = `
const [, , name, events, socket, delay] = process.argv;
const { appendFileSync, existsSync, rmSync } = require("node:fs");
const note = (what) => appendFileSync(events, what + " " + name + "\\n");
note("start");
process.on("SIGTERM", () => { note("end"); process.exit(0); });
const listen = () => {
  if (existsSync(socket + ".hold")) return void setTimeout(listen, 20);
  rmSync(socket, { force: true });
  note("listen");
  require("node:net").createServer((client) => client.end()).listen(socket);
};
setTimeout(listen, Number(delay));
`;

/** Required parts of a test context. Concurrent tests have to pass it. */
type Test = Pick<TestContext, "expect" | "onTestFinished">;

/** A state directory of the running test. All its processes are killed when the test ends, successfully or not. */
export class SupervisedDirectory {
  readonly path: string;
  readonly events: string;
  readonly #expect: Test["expect"];

  static async create(test: Test = { expect, onTestFinished }): Promise<SupervisedDirectory> {
    const path = await realpath(await temporaryDirectory(test.onTestFinished));
    const directory = new SupervisedDirectory(path, test.expect);
    test.onTestFinished(() => directory.#killAll());
    return directory;
  }

  private constructor(path: string, testsExpect: Test["expect"]) {
    this.#expect = testsExpect;
    this.path = path;
    this.events = join(path, "events");
    writeFileSync(join(path, "server.cjs"), serverScript);
    writeFileSync(this.events, "");
  }

  /** The events recorded by the servers so far. */
  eventLines(): string[] {
    return readFileSync(this.events, "utf8").split("\n").slice(0, -1);
  }

  /** A service that becomes ready some time after its start. */
  server(name: string, overrides: Partial<ServiceSpec> = {}): ServiceSpec {
    const socket = join(this.path, `${name}.sock`);
    return this.service(name, {
      command: process.execPath,
      args: [join(this.path, "server.cjs"), name, this.events, socket, "50"],
      readiness: { type: "unix", path: socket },
      ...overrides,
    });
  }

  /** Keeps a server from becoming ready until the returned function is called. */
  hold(name: string): () => void {
    const file = join(this.path, `${name}.sock.hold`);
    writeFileSync(file, "");
    return () => rmSync(file, { force: true });
  }

  /** A service that runs a shell script. */
  shell(name: string, script: string, overrides: Partial<ServiceSpec> = {}): ServiceSpec {
    return this.service(name, { args: ["-c", script], environment: { PATH: "/bin:/usr/bin" }, ...overrides });
  }

  service(name: string, overrides: Partial<ServiceSpec> = {}): ServiceSpec {
    const logFile = join(this.path, "logs", `${name}.log`);
    return aServiceSpec(name, { workingDirectory: this.path, logFile, ...overrides });
  }

  /** Starts a supervisor in the foreground, for cases that the client does not cover. */
  daemon(...args: readonly string[]): ChildProcess & { readonly said: () => string } {
    const program = join(import.meta.dirname, "..", "daemon.ts");
    const daemon = spawn(process.execPath, [program, "--state", this.path, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let text = "";
    daemon.stderr.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    return Object.assign(daemon, { said: () => text });
  }

  /** Supervisor processes of this directory. */
  daemons(): number[] {
    return this.#programs("daemon.ts");
  }

  /** Guardian processes of this directory. */
  guardians(): number[] {
    return this.#programs("guardian.ts");
  }

  #programs(program: string): number[] {
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => {
        const words = commandLine(pid);
        return words.includes(this.path) && words.some((word) => word.endsWith(`/supervisor/${program}`));
      });
  }

  /** Service processes of this directory. */
  processes(): number[] {
    return findMarkedProcesses(this.path).map(({ identity }) => identity.pid);
  }

  /** Waits until the status of a service has the given fields. */
  async untilService(client: SupervisorClient, name: string, parts: Record<string, unknown>): Promise<ServiceStatus> {
    await this.#expect.poll(() => statusOf(client, name), { timeout: 20_000 }).toMatchObject(parts);
    return statusOf(client, name);
  }

  /** Kills supervisor and guardian at once, so that neither restarts the other. */
  async killSupervisor(): Promise<void> {
    const killed = (): number[] => {
      const pids = [...this.guardians(), ...this.daemons()];
      for (const pid of pids) kill(pid);
      return pids;
    };
    await this.#expect.poll(killed, { timeout: 10_000 }).toEqual([]);
  }

  async #killAll(): Promise<void> {
    await this.killSupervisor();
    for (const pid of this.processes()) kill(pid);
    await this.#expect.poll(() => this.processes(), { timeout: 10_000 }).toEqual([]);
  }
}

/** The status of one service; throws when there is none. */
export async function statusOf(client: SupervisorClient, name: string): Promise<ServiceStatus> {
  const { services } = await client.status();
  const found = services.find((service) => service.name === name);
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
}

/** The PID of a service; throws when it has none. */
export async function pidOf(client: SupervisorClient, name: string): Promise<number> {
  const pid = (await statusOf(client, name)).process?.pid;
  if (pid === undefined) throw new Error(`${name} has no process`);
  return pid;
}

/** Waits until a process exits and returns its code. */
export async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
