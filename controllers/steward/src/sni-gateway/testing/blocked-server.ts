import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Upstream } from "../route-table.ts";

/** Listens, prints its address, and then blocks forever. */
const program = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, server.address().port + "\\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** A server that does not complete connections: a hanging process with a full backlog (on Linux). */
export async function blockedServer(): Promise<{ readonly address: Upstream; readonly stop: () => void }> {
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const sockets: Socket[] = [];
  const stop = (): void => {
    for (const socket of sockets) socket.destroy();
    child.kill("SIGKILL");
  };
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const address = { host: "127.0.0.1", port: Number(line.toString()) };
    // The backlog is full when a new connection is not established immediately.
    for (let isFull = false; !isFull;) {
      const socket = connect(address).on("error", () => undefined);
      sockets.push(socket);
      const patience = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 200));
      isFull = await Promise.race([once(socket, "connect").then(() => false), patience]);
    }
    return { address, stop };
  } catch (error) {
    stop();
    throw error;
  }
}
