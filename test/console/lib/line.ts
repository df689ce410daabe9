import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line to a server that can be cut and mended, as networks are. */
export interface Line {
  readonly url: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Lays a line to a port of this machine. */
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
      // Whichever end goes takes the other with it; why it went does not matter here.
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
