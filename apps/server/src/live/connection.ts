import type { SignedIn } from "../ports.ts";
import type { LiveWire } from "./ports.ts";
import type { View, ViewFacts } from "./view.ts";

/** A subscription of a socket. */
export interface Subscription {
  readonly id: string;
  readonly facts: Omit<ViewFacts, "teams">;
  view: View;
  /** How far it has been told; undefined when it needs everything anew. */
  position: number | undefined;
  /** Messages of a snapshot that are still to be sent. */
  rest: readonly string[];
  /** Lets go of what the subscription alone needs. */
  readonly release: () => void;
}

/** From here on nothing more is sent to a socket until what was sent has left. */
const highWater = 1024 * 1024;

/**
 * One socket and what it follows. What a slow one has not been told yet is not kept anywhere: it is worked out when the
 * socket is free again, from the latest changes or, when they are too many, from everything there is.
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

  /** Tells what there is to tell, as far as the socket takes it; gives whether that was all. */
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

  /** Lets go of everything; the socket is gone or going. */
  end(): void {
    for (const { release } of this.subscriptions.values()) release();
    this.subscriptions.clear();
  }
}
