import type { SignedIn } from "../ports.ts";
import type { LiveWire } from "./ports.ts";
import type { View, ViewFacts } from "./view.ts";

/** A subscription of a socket. */
export interface Subscription {
  readonly id: string;
  readonly facts: Omit<ViewFacts, "teams">;
  view: View;
  /** Position up to which changes were sent; undefined if it needs a new snapshot. */
  position: number | undefined;
  /** Messages of a snapshot that are still to be sent. */
  rest: readonly string[];
  /** Releases the resources of the subscription. */
  readonly release: () => void;
}

/** High-water mark: above it nothing more is sent to a socket until its buffer has drained. */
const highWater = 1024 * 1024;

/**
 * One socket and its subscriptions. Nothing is queued for a slow socket: when it is writable again, its update is
 * computed from the latest changes or, if there are too many, from a snapshot.
 */
export class Connection {
  readonly sessionId: string;
  readonly subscriptions = new Map<string, Subscription>();
  readonly #wire: LiveWire;
  caller: SignedIn;

  constructor(wire: LiveWire, { sessionId, caller }: { readonly sessionId: string; readonly caller: SignedIn }) {
    this.#wire = wire;
    this.sessionId = sessionId;
    this.caller = caller;
  }

  get isBlocked(): boolean {
    return this.#wire.bufferedAmount >= highWater;
  }

  /** Sends pending messages while the socket is writable; returns whether all were sent. */
  pump(): boolean {
    let isDone = true;
    for (const subscription of this.subscriptions.values()) isDone = this.#pumpOne(subscription) && isDone;
    return isDone;
  }

  #pumpOne(subscription: Subscription): boolean {
    while (!this.isBlocked) {
      const [body, ...rest] = subscription.rest;
      if (body !== undefined) {
        this.#wire.send(subscription.view.frame(subscription.id, body));
        subscription.rest = rest;
        continue;
      }
      if (subscription.position === subscription.view.position) return true;
      const { position, bodies } = subscription.view.messagesAfter(subscription.position);
      subscription.position = position;
      subscription.rest = bodies;
    }
    return subscription.rest.length === 0 && subscription.position === subscription.view.position;
  }

  say(message: object): void {
    this.#wire.send(Buffer.from(JSON.stringify(message)));
  }

  close(code: number, reason: string): void {
    this.end();
    this.#wire.close(code, reason);
  }

  /** Releases all resources; the socket is closed or closing. */
  end(): void {
    for (const { release } of this.subscriptions.values()) release();
    this.subscriptions.clear();
  }
}
