import type { Socket } from "node:net";

/**
 * Relays two connections in both directions with back-pressure. When one side ends, the other stays open; when one side
 * is reset, so is the other.
 */
export function relay(client: Socket, upstream: Socket, halfClosedTimeoutMs: number): void {
  client.pipe(upstream);
  upstream.pipe(client);
  bind(client, upstream, halfClosedTimeoutMs);
  bind(upstream, client, halfClosedTimeoutMs);
}

function bind(one: Socket, other: Socket, halfClosedTimeoutMs: number): void {
  one.once("end", () => other.setTimeout(halfClosedTimeoutMs, () => other.destroy()));
  one.once("close", () => {
    // After a clean end the other side may still have data to deliver.
    const isProperEnd = one.readableEnded && one.writableFinished;
    if (!isProperEnd) other.destroy();
  });
}
