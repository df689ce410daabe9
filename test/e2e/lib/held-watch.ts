import { setTimeout } from "node:timers/promises";
import { type ApiClient, BrokenStream } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { Unavailable } from "@butler/std";

/** A server that refuses is not asked again at once. */
const pauseMs = 100;

/** What a watch has seen. */
export interface WatchReport {
  /** The names of all ConfigMaps that were made, in the order of their events. */
  readonly added: readonly string[];
  /** How often the stream ended and was taken up again where it had stopped. */
  readonly resumed: number;
  /** Why it could not be taken up at first, each time. */
  readonly refusals: readonly string[];
}

/**
 * Holds a watch on the ConfigMaps of a namespace. When the stream ends it goes on after the last event, as every client
 * does; it never lists again, so an event that the API server does not give is missing for good.
 */
export class HeldWatch {
  readonly #client: Pick<ApiClient, "list" | "watch">;
  readonly #ended = new AbortController();
  readonly #added: string[] = [];
  readonly #refusals: string[] = [];
  #resourceVersion: string;
  #resumed = -1;
  readonly #running: Promise<void>;

  private constructor(client: Pick<ApiClient, "list" | "watch">, resourceVersion: string) {
    this.#client = client;
    this.#resourceVersion = resourceVersion;
    this.#running = this.#run();
    // Whoever ends the watch is told; nobody else has to be.
    this.#running.catch(() => undefined);
  }

  /** Begins after everything that there is now. */
  static async begin(client: Pick<ApiClient, "list" | "watch">): Promise<HeldWatch> {
    const { resourceVersion } = await client.list(builtinKinds.ConfigMap, { namespace: "default" });
    return new HeldWatch(client, resourceVersion);
  }

  get added(): readonly string[] {
    return this.#added;
  }

  /** Ends the watch. Fails when it had been lost for good. */
  async end(): Promise<WatchReport> {
    this.#ended.abort(new Error("the watch is over"));
    await this.#running;
    return { added: this.#added, resumed: this.#resumed, refusals: this.#refusals };
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      this.#resumed++;
      try {
        await this.#follow();
      } catch (error) {
        if (this.#ended.signal.aborted) return;
        // Anything else, such as "too old", would mean that events are lost.
        if (!(error instanceof BrokenStream) && !(error instanceof Unavailable)) throw error;
        this.#refusals.push(error.message);
        await setTimeout(pauseMs);
      }
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ended;
    const stream = await this.#client.watch(builtinKinds.ConfigMap, {
      namespace: "default",
      resourceVersion: this.#resourceVersion,
      signal,
    });
    for await (const event of stream) {
      if (event.type === "BOOKMARK") this.#resourceVersion = event.resourceVersion;
      else {
        this.#resourceVersion = event.object.metadata.resourceVersion ?? this.#resourceVersion;
        if (event.type === "ADDED") this.#added.push(event.object.metadata.name);
      }
    }
  }
}
