import { connect, type Socket } from "node:net";
import type { Clock } from "@butler/std";
import type { Refusal } from "./gateway-metrics.ts";
import type { Upstream } from "./route-table.ts";

export interface DialOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly keepAliveMs: number;
}

export type DialOutcome =
  { readonly kind: "connected"; readonly socket: Socket } | { readonly kind: "failed"; readonly reason: Refusal };

/** Connects to a tenant for a client; aborted on timeout or when the client disconnects. Never rejects. */
export function dial({ host, port }: Upstream, client: Socket, options: DialOptions): Promise<DialOutcome> {
  const { clock, timeoutMs, keepAliveMs } = options;
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveMs,
      // One direction stays open when the other has ended.
      allowHalfOpen: true,
    });
    const settle = (outcome: DialOutcome): void => {
      timer.cancel();
      client.off("close", onClientClose);
      socket.off("connect", onConnect).off("error", onError);
      // From here on `close` says all there is to know; without a listener an error would end the process.
      socket.on("error", () => undefined);
      if (outcome.kind === "failed") socket.destroy();
      resolve(outcome);
    };
    const fail = (reason: Refusal) => (): void => settle({ kind: "failed", reason });
    const onConnect = (): void => settle({ kind: "connected", socket });
    const onError = fail("connect-failed");
    const onClientClose = fail("closed-early");
    const timer = clock.after(timeoutMs, fail("connect-timeout"));
    socket.on("connect", onConnect).on("error", onError);
    client.on("close", onClientClose);
  });
}
