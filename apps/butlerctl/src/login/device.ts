import type { Terminal } from "@butler/cli-kit";
import type { Client, RouteAnswer, startDevice, takeDeviceToken } from "@butler/contract";
import { ButlerError, sleep, Timeout } from "@butler/std";

type Credentials = RouteAnswer<typeof takeDeviceToken>;

/** The codes that a command line shows to its user, and the one it keeps secret. */
export type DeviceCodes = RouteAnswer<typeof startDevice>;

/** Requests the codes. */
export async function requestCodes(client: Client, { signal }: Terminal, clientName: string): Promise<DeviceCodes> {
  // Loaded on demand: most commands never connect to the server.
  const { startDevice: route } = await import("@butler/contract");
  return client.call(route, { body: { client_name: clientName } }, { signal });
}

/** Polls for the decision at the interval that the server requests (RFC 8628, 3.5). */
export async function awaitDecision(client: Client, codes: DeviceCodes, terminal: Terminal): Promise<Credentials> {
  const { takeDeviceToken: route } = await import("@butler/contract");
  const { clock, signal } = terminal;
  const untilMs = clock.monotonicMs() + codes.expires_in * 1_000;
  let intervalMs = codes.interval * 1_000;
  while (clock.monotonicMs() < untilMs) {
    await sleep(clock, intervalMs, signal);
    try {
      return await client.call(route, { body: { device_code: codes.device_code } }, { signal });
    } catch (error) {
      if (!(error instanceof ButlerError)) throw error;
      const isSlowed = error.code === "SLOW_DOWN";
      // A server that is briefly unavailable still has the request.
      const isWaiting = error.code === "AUTHORIZATION_PENDING" || error.isRetryable;
      if (!isSlowed && !isWaiting) throw error;
      if (isSlowed) intervalMs += 5_000;
    }
  }
  throw new Timeout("the sign-in request expired before it was approved", { hint: "Run the command again." });
}
