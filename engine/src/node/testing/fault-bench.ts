import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "../../ensure-tools.ts";
import { type EngineOptions, LocalEngine } from "../local-engine.ts";
import { runCommand } from "../run-command.ts";
import { type CommandOptions, type CommandResult, type RunningCommand, startCommand } from "./command-line.ts";

const run = promisify(execFile);

/** Whether engines can run on this machine. */
export const canRunEngines = process.platform === "linux" && process.getuid?.() === 0;

/** An engine with its own name and home, for fault injection. */
export class FaultBench {
  readonly home: string;
  readonly name: string;
  readonly #kubectl: string;
  readonly #commands: RunningCommand[] = [];

  static async create(): Promise<FaultBench> {
    const { kubectl } = await ensureTools(["kubectl"]);
    return new FaultBench(await mkdtemp(join(tmpdir(), "butler-faults-")), kubectl);
  }

  private constructor(home: string, kubectl: string) {
    this.home = home;
    this.name = `fault-${randomBytes(3).toString("hex")}`;
    this.#kubectl = kubectl;
  }

  /** The engine as seen by this process. */
  engine(options: Omit<EngineOptions, "name" | "home"> = {}): LocalEngine {
    return new LocalEngine({ name: this.name, home: this.home, ...options });
  }

  /** Runs a command of `butleradm local` for the engine. */
  command(args: readonly string[], options: Partial<CommandOptions> = {}): Promise<CommandResult> {
    return this.#start(args, options).ended;
  }

  /** Starts a command of `butleradm local` for the engine. */
  start(...args: readonly string[]): RunningCommand {
    return this.#start(args);
  }

  #start(args: readonly string[], options: Partial<CommandOptions> = {}): RunningCommand {
    const command = startCommand([...args, "--name", this.name], { home: this.home, ...options });
    this.#commands.push(command);
    return command;
  }

  /** Creates an object and returns its uid, to distinguish it from another object of the same name. */
  async createObject(name: string): Promise<string> {
    await this.kubectl("create", "configmap", name, "--from-literal=a=b");
    return this.objectId(name);
  }

  objectId(name: string): Promise<string> {
    return this.kubectl("get", "configmap", name, "-o", "jsonpath={.metadata.uid}");
  }

  async kubectl(...args: readonly string[]): Promise<string> {
    const kubeconfig = this.engine().paths.kubeconfig;
    const { stdout } = await run(this.#kubectl, ["--kubeconfig", kubeconfig, "--request-timeout=20s", ...args]);
    return stdout.trim();
  }

  /** Removes everything, whatever its state. */
  async remove(): Promise<void> {
    // A test that timed out leaves a command behind, which would block the next one.
    for (const { child } of this.#commands) child.kill("SIGKILL");
    await Promise.all(this.#commands.map(({ ended }) => ended));
    await this.engine().reset();
    await runCommand(["umount", "--lazy", this.home]).catch(() => undefined);
    await rm(this.home, { recursive: true, force: true });
  }
}
