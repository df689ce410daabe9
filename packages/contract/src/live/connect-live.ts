import { backoffDelayMs, type BackoffPolicy, type Clock, systemClock, type Timer } from "@butler/std";
import { applyLive, emptyLiveState, type LiveState } from "./live-state.ts";
import {
  beatEveryMs,
  type LiveChannel,
  liveCloseCodes,
  type LiveFilter,
  type LiveMessage,
  livePath,
  liveProtocol,
  ticketPrefix,
} from "./messages.ts";

/** The part of the WebSocket API used here; browsers and Node implement it. */
export interface LiveSocket {
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void;
  send(text: string): void;
  close(code?: number): void;
}

/** How to reach the server. */
export interface LiveOptions {
  /** Such as `https://butler.example.com`. */
  readonly baseUrl: string;
  /** Gets a ticket; called for every connection, because a ticket is valid once. */
  readonly ticket: () => Promise<string>;
  readonly openSocket?: (url: string, protocols: string[]) => LiveSocket;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly backoff?: BackoffPolicy;
}

/** State of the connection. `refused` is final: the user must sign in again. */
export type LiveConnection = "connecting" | "connected" | "waiting" | "refused" | "closed";

/** A subscription and its listeners. */
export interface LiveSubscription {
  readonly channel: LiveChannel;
  readonly filter?: LiveFilter;
  readonly onState: (objects: ReadonlyMap<string, unknown>) => void;
  readonly onError?: (code: string, message: string) => void;
}

/** A connection that reconnects automatically. */
export interface LiveClient {
  readonly connection: LiveConnection;
  onConnection(listener: (connection: LiveConnection) => void): () => void;
  /** Follows a channel; returns a function that unsubscribes. */
  subscribe(subscription: LiveSubscription): () => void;
  close(): void;
}

const defaultBackoff: BackoffPolicy = { initialMs: 250, maximumMs: 15_000, factor: 2, jitter: 0.5 };

/** Connects to the live channels, and reconnects after each disconnect, resuming from the last cursor. */
export function connectLive(options: LiveOptions): LiveClient {
  const live = new LiveConnector(options);
  live.connect();
  return live;
}

interface Entry {
  readonly subscription: LiveSubscription;
  state: LiveState;
}

class LiveConnector implements LiveClient {
  readonly #options: LiveOptions;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<(connection: LiveConnection) => void>();
  #connection: LiveConnection = "connecting";
  #socket: LiveSocket | undefined;
  #timer: Timer | undefined;
  #failures = 0;
  #nextId = 1;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get connection(): LiveConnection {
    return this.#connection;
  }

  onConnection(listener: (connection: LiveConnection) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  subscribe(subscription: LiveSubscription): () => void {
    const id = String(this.#nextId++);
    this.#entries.set(id, { subscription, state: emptyLiveState });
    if (this.#connection === "connected") this.#ask(id);
    return () => {
      this.#entries.delete(id);
      if (this.#connection === "connected") this.#send({ type: "unsubscribe", id });
    };
  }

  close(): void {
    this.#timer?.cancel();
    this.#become("closed");
    this.#drop();
  }

  connect(): void {
    if (this.#isOver) return;
    this.#become("connecting");
    this.#options.ticket().then(
      (ticket) => this.#open(ticket),
      (error: unknown) => (isSignedOut(error) ? this.#become("refused") : this.#later()),
    );
  }

  get #isOver(): boolean {
    return this.#connection === "closed" || this.#connection === "refused";
  }

  #open(ticket: string): void {
    if (this.#isOver) return;
    const { baseUrl, openSocket = defaultSocket } = this.#options;
    const socket = openSocket(baseUrl.replace(/^http/, "ws") + livePath, [liveProtocol, ticketPrefix + ticket]);
    this.#socket = socket;
    const isCurrent = (): boolean => this.#socket === socket;
    socket.addEventListener("open", () => {
      if (!isCurrent()) return;
      this.#become("connected");
      this.#watchBeats();
      for (const id of this.#entries.keys()) this.#ask(id);
    });
    socket.addEventListener("message", ({ data }) => {
      if (isCurrent()) this.#receive(data);
    });
    socket.addEventListener("close", ({ code }) => {
      if (!isCurrent()) return;
      this.#socket = undefined;
      if (code === liveCloseCodes.signedOut) this.#become("refused");
      else this.#later();
    });
    // The close event that follows carries the reason.
    socket.addEventListener("error", () => undefined);
  }

  #ask(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const { channel, filter } = entry.subscription;
    const { cursor } = entry.state;
    this.#send({ type: "subscribe", id, channel, ...(filter && { filter }), ...(cursor && { cursor }) });
  }

  #receive(data: unknown): void {
    this.#failures = 0;
    this.#watchBeats();
    const message = JSON.parse(String(data)) as LiveMessage;
    if (message.type === "beat") return;
    const entry = this.#entries.get(message.id ?? "");
    if (entry === undefined) return;
    if (message.type === "error") {
      entry.subscription.onError?.(message.code, message.message);
      return;
    }
    const before = entry.state.objects;
    entry.state = applyLive(entry.state, message);
    if (entry.state.objects !== before) entry.subscription.onState(entry.state.objects);
  }

  /** Drops a connection without heartbeats. */
  #watchBeats(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(beatEveryMs * 2.5, () => {
      this.#drop();
      this.#later();
    });
  }

  #later(): void {
    this.#timer?.cancel();
    if (this.#isOver) return;
    this.#failures++;
    this.#become("waiting");
    const { backoff = defaultBackoff, random = Math.random } = this.#options;
    this.#timer = this.#clock.after(backoffDelayMs(backoff, this.#failures, random), () => this.connect());
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #send(request: object): void {
    this.#socket?.send(JSON.stringify(request));
  }

  #become(connection: LiveConnection): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    for (const listener of this.#listeners) listener(connection);
  }
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "UNAUTHENTICATED" || error.code === "FORBIDDEN");
}

function defaultSocket(url: string, protocols: string[]): LiveSocket {
  return new WebSocket(url, protocols);
}
