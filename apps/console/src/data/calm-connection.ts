import type { LiveClient, LiveConnection } from "@butler/contract";

/**
 * How the connection is, as people are to see it. Between two attempts it connects and waits in turn; to people it is
 * broken all the while.
 */
export function calmer(before: LiveConnection, now: LiveConnection): LiveConnection {
  return before === "waiting" && now === "connecting" ? "waiting" : now;
}

/** Follows a connection, without telling of every attempt. */
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

  /** Calls the listener at every change; gives a function that ends it. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
