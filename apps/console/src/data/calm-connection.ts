import type { LiveClient, LiveConnection } from "@butler/contract";

/**
 * The connection state to display. Between attempts the client alternates between connecting and waiting; the display
 * stays on waiting.
 */
export function calmer(before: LiveConnection, now: LiveConnection): LiveConnection {
  return before === "waiting" && now === "connecting" ? "waiting" : now;
}

/** Tracks a connection without reporting every attempt. */
export class CalmConnection {
  readonly #listeners = new Set<() => void>();
  #current: LiveConnection;

  constructor(client: Pick<LiveClient, "connection" | "onConnection">) {
    this.#current = client.connection;
    client.onConnection((next) => {
      const shown = calmer(this.#current, next);
      if (shown === this.#current) return;
      this.#current = shown;
      for (const listener of this.#listeners) listener();
    });
  }

  get current(): LiveConnection {
    return this.#current;
  }

  /** Calls the listener on every change. Returns the unsubscribe function. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
