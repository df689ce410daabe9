import type { ListOptions, Page } from "../client/client.ts";
import type { WatchEvent, WatchOptions, WatchStream } from "../client/watch.ts";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { aConfigMap, eventually, FakeClock } from "@butler/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { Follower } from "./follower.ts";

/** A watch that sends events when a test requests it. */
class PlayedWatch implements WatchStream<DynamicObject> {
  bytesReceived = 0;
  isOver = false;
  readonly #events: (WatchEvent<DynamicObject> | Error | undefined)[] = [];
  #wake = Promise.withResolvers<void>();

  send(event: WatchEvent<DynamicObject> | Error | undefined): void {
    this.bytesReceived += 100;
    this.#events.push(event);
    this.#wake.resolve();
  }

  close(reason: Error): void {
    this.#events.unshift(reason);
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<WatchEvent<DynamicObject>> {
    for (;;) {
      if (this.#events.length === 0) {
        this.#wake = Promise.withResolvers();
        await this.#wake.promise;
      }
      const event = this.#events.shift();
      this.isOver = event === undefined || event instanceof Error;
      if (event === undefined) return;
      if (event instanceof Error) throw event;
      yield event;
    }
  }
}

/** A server whose responses to lists and watches a test sets. */
class PlayedServer {
  pages: (Page<DynamicObject> | Error)[] = [];
  readonly lists: ListOptions[] = [];
  readonly watches: { readonly options: WatchOptions; readonly stream: PlayedWatch }[] = [];
  watchFailures: Error[] = [];

  list = (_kind: unknown, options: ListOptions = {}): Promise<Page<never>> => {
    this.lists.push(options);
    const page = this.pages.shift() ?? { items: [], resourceVersion: "1", continueToken: undefined };
    return page instanceof Error ? Promise.reject(page) : Promise.resolve(page as Page<never>);
  };

  watch = (_kind: unknown, options: WatchOptions): Promise<WatchStream<never>> => {
    const failure = this.watchFailures.shift();
    if (failure !== undefined) return Promise.reject(failure);
    const stream = new PlayedWatch();
    options.signal?.addEventListener("abort", () => stream.close(new Error("aborted")));
    this.watches.push({ options, stream });
    return Promise.resolve(stream as unknown as WatchStream<never>);
  };
}

const page = (names: readonly string[], resourceVersion: string, continueToken?: string): Page<DynamicObject> => ({
  items: names.map((name) => aConfigMap({ name })),
  resourceVersion,
  continueToken,
});

const ends: AbortController[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end.abort();
});

function follow(server: PlayedServer): {
  follower: Follower<typeof builtinKinds.ConfigMap>;
  seen: string[];
  clock: FakeClock;
  run: () => Promise<void>;
} {
  const clock = new FakeClock();
  const seen: string[] = [];
  const follower = new Follower({
    client: server,
    kind: builtinKinds.ConfigMap,
    scope: { labelSelector: "a=b", metadataOnly: true },
    clock,
    logger: silentLogger,
    random: () => 0.5,
    onObject: ({ metadata }) => void seen.push(metadata.name),
    onGone: ({ metadata }) => void seen.push(`-${metadata.name}`),
    onListed: (version) => void seen.push(`listed ${version}`),
  });
  const end = new AbortController();
  ends.push(end);
  return { follower, seen, clock, run: () => follower.run(end.signal) };
}

const news = (type: "ADDED" | "MODIFIED" | "DELETED", name: string): WatchEvent<DynamicObject> => ({
  type,
  object: aConfigMap({ name }),
});

describe("Follower", () => {
  it("lists in pages, then watches from there, and reports everything in order", async () => {
    const server = new PlayedServer();
    server.pages = [page(["a", "b"], "5", "more"), page(["c"], "7")];
    const { seen, run } = follow(server);
    void run();
    const { options, stream } = await eventually(() => server.watches[0]);
    expect(options).toMatchObject({ resourceVersion: "7", labelSelector: "a=b", metadataOnly: true });
    expect(server.lists.map(({ continueToken }) => continueToken)).toEqual([undefined, "more"]);
    stream.send(news("MODIFIED", "a"));
    stream.send({ type: "BOOKMARK", resourceVersion: "9" });
    stream.send(news("DELETED", "b"));
    await eventually(() => seen.length === 6);
    expect(seen).toEqual(["a", "b", "c", "listed 7", "a", "-b"]);
  });

  it("resumes after the caller's first list, and propagates its failure", async () => {
    const server = new PlayedServer();
    server.pages = [new Unavailable("down"), page(["a"], "5")];
    const { follower, seen, run } = follow(server);
    const { signal } = new AbortController();
    await expect(follower.list(signal)).rejects.toThrow("down");
    await follower.list(signal);
    void run();
    await eventually(() => server.watches.length === 1);
    expect(server.lists).toHaveLength(2);
    expect(seen).toEqual(["a", "listed 5"]);
  });

  it("lists again after each failure, waiting longer each time", async () => {
    const server = new PlayedServer();
    server.pages = [new Unavailable("down"), new Unavailable("down"), page([], "3")];
    server.watchFailures = [new Unavailable("no watch")];
    const { clock, run } = follow(server);
    void run();
    // Half of the delay is random, here half of that half.
    for (const [lists, waitMs] of [
      [1, 188],
      [2, 375],
      [3, 750],
    ] as const) {
      await eventually(() => server.lists.length === lists && clock.pending === 1);
      clock.advance(waitMs - 1);
      expect(clock.pending).toBe(1);
      clock.advance(1);
    }
    await eventually(() => server.watches.length === 1);
    expect(server.lists).toHaveLength(4);
  });

  it("backs off when the server closes every watch immediately", async () => {
    const server = new PlayedServer();
    const { clock, run } = follow(server);
    void run();
    for (let round = 1; round <= 4; round++) {
      const { stream } = await eventually(() => server.watches[round - 1]);
      stream.send(undefined);
      await eventually(() => stream.isOver && clock.pending === 1);
      expect(server.lists).toHaveLength(round);
      clock.advance(30_000);
    }
    await eventually(() => server.watches.length === 5);
    expect(server.lists).toHaveLength(5);
  });

  it("lists again without delay after a watch that ended normally", async () => {
    const server = new PlayedServer();
    const { clock, run } = follow(server);
    void run();
    const { stream, options } = await eventually(() => server.watches[0]);
    expect(options.timeoutSeconds).toBe(450);
    stream.bytesReceived = 1;
    clock.advance(100_000);
    stream.send(undefined);
    await eventually(() => server.watches.length === 2);
    expect(server.lists).toHaveLength(2);
  });

  it("closes a silent watch", async () => {
    const server = new PlayedServer();
    const { clock, run } = follow(server);
    void run();
    const { stream } = await eventually(() => server.watches[0]);
    stream.send(news("ADDED", "a"));
    clock.advance(150_000);
    await Promise.resolve();
    expect(server.lists).toHaveLength(1);
    clock.advance(150_000);
    await eventually(() => clock.pending === 1);
    clock.advance(30_000);
    await eventually(() => server.watches.length === 2);
  });

  it("lists again on request, at the earliest requested time", async () => {
    const server = new PlayedServer();
    const { follower, clock, run } = follow(server);
    void run();
    await eventually(() => server.watches.length === 1);
    follower.listAgainIn(60_000);
    follower.listAgainIn(5_000);
    follower.listAgainIn(30_000);
    clock.advance(4_999);
    expect(server.lists).toHaveLength(1);
    clock.advance(1);
    await eventually(() => server.watches.length === 2);
    expect(server.lists).toHaveLength(2);
    clock.advance(60_000);
    expect(server.lists).toHaveLength(2);
  });

  it("stops on abort and leaves no timer", async () => {
    const server = new PlayedServer();
    const { follower, clock, run } = follow(server);
    const running = run();
    await eventually(() => server.watches.length === 1);
    follower.listAgainIn(60_000);
    for (const end of ends) end.abort();
    await running;
    expect(clock.pending).toBe(0);
  });
});
