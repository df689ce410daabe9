import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Upstream } from "../route-table.ts";

/** Listens, says where, and then does nothing at all ever again. */
const program = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, server.address().port + "\\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** A server that does not even complete connections: a process that hangs, its queue full (on Linux). */
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
    // The queue is full when a connection no longer comes about at once.
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
