import type { Terminal } from "@butler/cli-kit";
import type { Client, RouteAnswer, startDevice, takeDeviceToken } from "@butler/contract";
import { ButlerError, sleep, Timeout } from "@butler/std";

type Credentials = RouteAnswer<typeof takeDeviceToken>;

/** What a command line shows to its person, and keeps to itself. */
export type DeviceCodes = RouteAnswer<typeof startDevice>;

/** Asks for codes. */
export async function requestCodes(client: Client, { signal }: Terminal, clientName: string): Promise<DeviceCodes> {
  // Loaded when it is needed: most commands never speak to the server.
  const { startDevice: route } = await import("@butler/contract");
  return client.call(route, { body: { client_name: clientName } }, { signal });
}

/** Asks for the result until somebody has decided, in the rhythm that the server wants (RFC 8628, 3.5). */
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
      // A server that is away for a moment has forgotten nothing.
      const isWaiting = error.code === "AUTHORIZATION_PENDING" || error.isRetryable;
      if (!isSlowed && !isWaiting) throw error;
      if (isSlowed) intervalMs += 5_000;
    }
  }
  throw new Timeout("nobody has approved the sign-in in time", { hint: "Begin again." });
}
