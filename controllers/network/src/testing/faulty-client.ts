import type { KubeClient, ListOptions, WatchEvent, WatchOptions, WatchStream } from "@butler/kube";
import type { Kind } from "@butler/resource";
import { Conflict, sleep, systemClock, Unavailable } from "@butler/std";

/** Probability of each fault. */
export interface Faults {
  readonly conflict: number;
  /** The write succeeds and the response is lost. */
  readonly lostAnswer: number;
  readonly crashBeforeWrite: number;
  readonly crashAfterWrite: number;
  /** A delayed watch event, which also delays all later ones. */
  readonly lateEvent: number;
}

interface FaultyClientOptions {
  readonly random: () => number;
  readonly faults: Faults;
  readonly onCrash: () => void;
}

const longestPauseMs = 20;
const longestLagMs = 300;
const never = new Promise<never>(() => undefined);

/**
 * An unreliable API server: writes are slow, conflict or lose their response, caches lag, and the process may crash at
 * any write. Writes sent before a crash may still arrive afterwards.
 */
export class FaultyClient implements KubeClient {
  readonly #client: KubeClient;
  readonly #options: FaultyClientOptions;
  #isDead = false;

  constructor(client: KubeClient, options: FaultyClientOptions) {
    this.#client = client;
    this.#options = options;
  }

  get: KubeClient["get"] = (kind, key, signal) => this.#read(() => this.#client.get(kind, key, signal));
  find: KubeClient["find"] = (kind, key, signal) => this.#read(() => this.#client.find(kind, key, signal));
  discover: KubeClient["discover"] = (...given) => this.#read(() => this.#client.discover(...given));
  list: KubeClient["list"] = (kind, options?: ListOptions) => this.#read(() => this.#client.list(kind, options));
  create: KubeClient["create"] = (...given) => this.#write(() => this.#client.create(...given));
  replace: KubeClient["replace"] = (...given) => this.#write(() => this.#client.replace(...given));
  apply: KubeClient["apply"] = (...given) => this.#write(() => this.#client.apply(...given));
  patch: KubeClient["patch"] = (kind, key, { signal: _ignored, ...options }) =>
    this.#write(() => this.#client.patch(kind, key, options));
  delete: KubeClient["delete"] = (...given) => this.#write(() => this.#client.delete(...given));

  watch: KubeClient["watch"] = async <K extends Kind>(kind: K, options: WatchOptions) => {
    const stream = await this.#read(() => this.#client.watch(kind, options));
    return late(stream, () => (this.#happens("lateEvent") ? this.#options.random() * longestLagMs : 0));
  };

  #happens(fault: keyof Faults): boolean {
    return this.#options.random() < this.#options.faults[fault];
  }

  async #read<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isDead) return never;
    const result = await run();
    return this.#isDead ? never : result;
  }

  async #write<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isDead) return never;
    await pause(this.#options.random() * longestPauseMs);
    if (this.#isDead) return this.#sendFromTheGrave(run);
    if (this.#happens("conflict")) throw new Conflict("a conflict for the sake of the test");
    if (this.#happens("crashBeforeWrite")) return this.#die(run);
    const result = await run();
    if (this.#isDead) return never;
    if (this.#happens("crashAfterWrite")) return this.#die();
    if (this.#happens("lostAnswer")) throw new Unavailable("an answer lost for the sake of the test");
    return result;
  }

  #die(run?: () => Promise<unknown>): Promise<never> {
    this.#isDead = true;
    this.#options.onCrash();
    return run === undefined ? never : this.#sendFromTheGrave(run);
  }

  /** Writes in flight at the crash arrive late, or never. */
  async #sendFromTheGrave(run: () => Promise<unknown>): Promise<never> {
    if (this.#options.random() < 0.5) {
      await pause(this.#options.random() * longestLagMs);
      await run().catch(() => undefined);
    }
    return never;
  }
}

function late<T>(stream: WatchStream<T>, lagMs: () => number): WatchStream<T> {
  return {
    close: (reason) => stream.close(reason),
    get bytesReceived() {
      return stream.bytesReceived;
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>> {
      for await (const event of stream) {
        await pause(lagMs());
        yield event;
      }
    },
  };
}

function pause(ms: number): Promise<void> {
  return ms < 1 ? Promise.resolve() : sleep(systemClock, ms);
}
