import { Unavailable } from "@butler/std";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the range for ephemeral ports (32768 and up on Linux, 49152 on macOS), and below the node ports of Kubernetes.
 * Any client could take a port of the ephemeral range while the API server restarts, even a client that retries that
 * API server and ends up connected to itself.
 */
const lowestPort = 20_000;
const highestPort = 29_999;

/** Whether the port is free on the loopback address. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Chooses a port that is currently free. Another process may take it before it is used, so the caller must be ready to
 * retry.
 */
export async function drawFreePort(random: (from: number, to: number) => number = randomInt): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = random(lowestPort, highestPort + 1);
    if (await isPortFree(port)) return port;
  }
  throw new Unavailable(`no free port between ${lowestPort} and ${highestPort} on 127.0.0.1`);
}
