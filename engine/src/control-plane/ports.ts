import { Unavailable } from "@butler/std";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the range from which systems draw ports for outgoing connections (32768 and up on Linux, 49152 on macOS), and
 * below the node ports of Kubernetes. A port from the outgoing range could be taken by any client while the API server
 * restarts, even by a client that tries to reach that very API server and ends up connected to itself.
 */
const lowestPort = 20_000;
const highestPort = 29_999;

/** Whether nobody listens on the port of the loopback address. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Draws a port that is free now. Someone may take it before it is used, so the user must be ready to draw again. */
export async function drawFreePort(random: (from: number, to: number) => number = randomInt): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = random(lowestPort, highestPort + 1);
    if (await isPortFree(port)) return port;
  }
  throw new Unavailable(`no free port between ${lowestPort} and ${highestPort} on 127.0.0.1`);
}
