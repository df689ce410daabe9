import { Worker } from "node:worker_threads";
import { Bug, Unavailable } from "@butler/std";
import { type PasswordAnswer, type PasswordTask, passwordThread } from "./password-tasks.ts";

/** Work factor of new hashes: each more doubles the time that a guess takes. */
const defaultCost = 12;
/** Maximum number of waiting requests; further ones are rejected, to bound memory. */
const mostWaiting = 64;

/** A hash of an unknown password, to compare with if the account does not exist. */
const nobodysHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, "0")}$lVw/Ko02DR2TA2b1eWq5DeCI6PcyPR3F4KY0SNqkL7z/THGEHla5i`;

type WithoutId<T> = T extends { readonly id: number } ? Omit<T, "id"> : never;

/** Hashes and compares passwords in a thread of its own, one after the other. */
export class PasswordHasher {
  readonly #cost: number;
  readonly #waiting = new Map<number, PromiseWithResolvers<string | boolean>>();
  #worker: Worker | undefined;
  #nextId = 0;

  constructor(cost: number = defaultCost) {
    this.#cost = cost;
  }

  /** The hash of a password. */
  async hash(password: string): Promise<string> {
    const result = await this.#ask({ kind: "hash", password, cost: this.#cost });
    if (typeof result !== "string") throw new Bug("a hash is not a string");
    return result;
  }

  /** Whether a password matches a hash. Without a hash it takes the same time and returns false. */
  async isRight(password: string, hash: string | undefined): Promise<boolean> {
    const result = await this.#ask({ kind: "compare", password, hash: hash ?? nobodysHash(this.#cost) });
    return result === true && hash !== undefined;
  }

  /** Stops the thread; pending calls are rejected. */
  async close(): Promise<void> {
    this.#failAll(new Unavailable("the server is stopping"));
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #ask(task: WithoutId<PasswordTask>): Promise<string | boolean> {
    if (this.#waiting.size >= mostWaiting) {
      throw new Unavailable("too many concurrent sign-ins", { hint: "Retry in a few seconds." });
    }
    const id = this.#nextId++;
    const answer = Promise.withResolvers<string | boolean>();
    this.#waiting.set(id, answer);
    const { workerUrl } = await import("./password-worker.ts");
    this.#thread(workerUrl).postMessage({ ...task, id }, []);
    return answer.promise;
  }

  #thread(url: URL): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(url, { workerData: passwordThread });
    worker.unref();
    worker.on("message", (answer: PasswordAnswer) => this.#settle(answer));
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, undefined));
    this.#worker = worker;
    return worker;
  }

  #settle(answer: PasswordAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("result" in answer) waiting?.resolve(answer.result);
    else waiting?.reject(new Bug(`failed to hash or compare a password: ${answer.error}`));
  }

  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#failAll(new Unavailable("passwords cannot be checked right now", { cause }));
  }

  #failAll(error: Unavailable): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
