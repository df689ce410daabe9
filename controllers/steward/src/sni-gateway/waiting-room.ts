import type { Socket } from "node:net";
import type { Clock } from "@butler/std";
import { ClientHelloReader } from "./client-hello.ts";
import type { Refusal } from "./gateway-metrics.ts";

/** The result of waiting for a ClientHello. */
export type HelloOutcome =
  /** The socket is paused, and all data so far is in `received`. */
  | { readonly kind: "hello"; readonly serverName: string; readonly received: Buffer }
  | { readonly kind: "refused"; readonly reason: Refusal };

export interface WaitingRoomOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly capacity: number;
}

/**
 * Connections that have not sent their ClientHello yet. Honest clients send it at once; when too many wait, the oldest
 * is closed, so that idle clients cannot exhaust the gateway.
 */
export class WaitingRoom {
  readonly #options: WaitingRoomOptions;
  /** In order of arrival. */
  readonly #leave = new Map<Socket, (outcome: HelloOutcome) => void>();

  constructor(options: WaitingRoomOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#leave.size;
  }

  /** Reads a connection until its ClientHello is complete or refused. Never rejects. */
  read(socket: Socket): Promise<HelloOutcome> {
    return new Promise((resolve) => {
      const reader = new ClientHelloReader();
      const received: Buffer[] = [];
      const refuse = (reason: Refusal) => (): void => leave({ kind: "refused", reason });
      const onData = (chunk: Buffer): void => {
        received.push(chunk);
        const state = reader.push(chunk);
        if (state.kind === "refused") refuse(state.reason)();
        else if (state.kind === "complete") {
          socket.pause();
          leave({ kind: "hello", serverName: state.serverName, received: Buffer.concat(received) });
        }
      };
      const onClosed = refuse("closed-early");
      const timer = this.#options.clock.after(this.#options.timeoutMs, refuse("hello-timeout"));
      const leave = (outcome: HelloOutcome): void => {
        timer.cancel();
        this.#leave.delete(socket);
        socket.off("data", onData).off("end", onClosed).off("close", onClosed);
        resolve(outcome);
      };
      socket.on("data", onData).on("end", onClosed).on("close", onClosed);
      this.#leave.set(socket, leave);
      this.#makeRoom();
    });
  }

  /** Refuses all waiting connections. */
  clear(reason: Refusal): void {
    for (const leave of this.#leave.values()) leave({ kind: "refused", reason });
  }

  #makeRoom(): void {
    const [longest] = this.#leave.values();
    if (this.#leave.size > this.#options.capacity) longest?.({ kind: "refused", reason: "waiting-limit" });
  }
}
