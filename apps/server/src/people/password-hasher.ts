import { Worker } from "node:worker_threads";
import { Bug, Unavailable } from "@butler/std";
import { type PasswordAnswer, type PasswordTask, passwordThread } from "./password-tasks.ts";

/** Work factor of new hashes: each more doubles the time that a guess takes. */
const defaultCost = 12;
/** So many may wait; whoever comes then is told to come again, and the memory stays as it is. */
const mostWaiting = 64;

/** A hash of nothing that anybody knows, to compare with where there is no account. */
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

  /** What is kept of a password. */
  async hash(password: string): Promise<string> {
    const result = await this.#ask({ kind: "hash", password, cost: this.#cost });
    if (typeof result !== "string") throw new Bug("a hash is no text");
    return result;
  }

  /** Whether a password is the one of a hash. Without a hash it takes as long, and the answer is no. */
  async isRight(password: string, hash: string | undefined): Promise<boolean> {
    const result = await this.#ask({ kind: "compare", password, hash: hash ?? nobodysHash(this.#cost) });
    return result === true && hash !== undefined;
  }

  /** Lets go of the thread; whoever waits is told. */
  async close(): Promise<void> {
    this.#failAll(new Unavailable("the server ends"));
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #ask(task: WithoutId<PasswordTask>): Promise<string | boolean> {
    if (this.#waiting.size >= mostWaiting) {
      throw new Unavailable("too many people sign in at the same moment", { hint: "Try again in a few seconds." });
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
    else waiting?.reject(new Bug(`a password could not be worked with: ${answer.error}`));
  }

  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#failAll(new Unavailable("passwords cannot be checked at the moment", { cause }));
  }

  #failAll(error: Unavailable): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
