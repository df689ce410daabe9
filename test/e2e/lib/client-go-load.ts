import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { buildGoProgram } from "@butler/engine";
import { eventually } from "@butler/testkit";
import * as z from "zod";

const names = z.array(z.string());

/** Result of a load, as printed by its program. */
const loadReport = z.object({
  sent: z.int(),
  /** Failed requests. */
  failures: z.array(z.object({ at: z.string(), verb: z.string(), path: z.string(), error: z.string() })),
  slowestMs: z.number(),
  /** Requests that client-go retried. */
  repeated: names,
  /** Names of ConfigMaps in the order in which their writes were acknowledged. */
  made: names,
  changed: names,
  removed: names,
  watch: z.object({
    added: names,
    modified: names,
    deleted: names,
    /** How often the stream ended and was resumed. */
    resumed: z.int(),
    /** Why it could not be resumed, each time. */
    refusals: names,
    /** Why there were no more events at all, if so. */
    lost: z.string(),
  }),
});

/** Result of a load. */
export type ClientGoReport = z.infer<typeof loadReport>;

const line = z.union([z.object({ sent: z.int() }), z.object({ report: loadReport })]);

/** Builds the program, which is slow the first time. */
export function clientGoProgram(): Promise<string> {
  return buildGoProgram(join(import.meta.dirname, "../client-go-load"));
}

/**
 * Twenty requests a second and an open watch by the real client-go, in a separate program: its own rules decide about
 * retries.
 */
export class ClientGoLoad {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<unknown>;
  readonly #read: Promise<void>;
  #sent = 0;
  #report: ClientGoReport | undefined;

  private constructor(process: ChildProcessByStdio<Writable, Readable, null>) {
    this.#process = process;
    this.#ended = once(process, "exit");
    this.#read = this.#readLines();
    // Reported to the caller of stop.
    for (const settling of [this.#ended, this.#read]) settling.catch(() => undefined);
  }

  /** Starts immediately. The name is the prefix of every ConfigMap. */
  static async begin(kubeconfigFile: string, name: string): Promise<ClientGoLoad> {
    const words = ["-kubeconfig", kubeconfigFile, "-name", name];
    return new ClientGoLoad(spawn(await clientGoProgram(), words, { stdio: ["pipe", "pipe", "inherit"] }));
  }

  /** Resolves when about that many more requests have been sent. */
  async further(requests: number): Promise<void> {
    const enough = this.#sent + requests;
    const isOver = (): boolean => this.#process.exitCode !== null;
    await eventually(() => this.#sent >= enough || isOver(), { what: `${requests} more requests of client-go` });
    if (this.#sent < enough) throw new Error(`the client-go load ended with code ${this.#process.exitCode}`);
  }

  /** Stops the load once the last responses and events have arrived. */
  async stop(): Promise<ClientGoReport> {
    this.#process.stdin.end();
    await Promise.all([this.#ended, this.#read]);
    if (this.#report === undefined) throw new Error("the client-go load ended without a report");
    return this.#report;
  }

  async #readLines(): Promise<void> {
    for await (const text of createInterface({ input: this.#process.stdout })) {
      const message = line.parse(JSON.parse(text));
      if ("report" in message) this.#report = message.report;
      else this.#sent = message.sent;
    }
  }
}

/** The expected content of each ConfigMap that was created and not deleted. */
export function expectedTexts({ made, changed, removed }: ClientGoReport): ReadonlyMap<string, string> {
  const left = made.filter((name) => !removed.includes(name));
  return new Map(left.map((name) => [name, `this is ${name}, revision ${changed.includes(name) ? 2 : 1}`]));
}
