import type { Socket } from "node:net";

/**
 * Passes everything between two connections, in both directions, no faster than the receiver takes it. When one side has
 * said everything the other goes on; when one side breaks, so does the other.
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
    // After a proper end the other side may still have to hand over what it was given.
    const isProperEnd = one.readableEnded && one.writableFinished;
    if (!isProperEnd) other.destroy();
  });
}
