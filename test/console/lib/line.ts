import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A connection to a server that can be cut and restored. */
export interface Line {
  readonly url: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens a line to a local port. */
export async function layLine(port: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const life = { isCut: false };
  const server = createServer((near) => {
    if (life.isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      // Closing one end closes the other; the cause does not matter here.
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const destroyAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      life.isCut = true;
      destroyAll();
    },
    mend: () => {
      life.isCut = false;
    },
    close: async () => {
      server.close();
      destroyAll();
      await once(server, "close");
    },
  };
}
