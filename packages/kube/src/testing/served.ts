import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect } from "vitest";

/** An HTTP server for each test of a file. */
export interface ServerForTests {
  /** Starts the server and returns its URL. It is closed after the test. */
  readonly serve: (answer: RequestListener) => Promise<string>;
  readonly running: Server;
}

export function useServer(): ServerForTests {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return {
    serve: async (answer) => {
      server = createServer(answer).listen(0, "127.0.0.1");
      await once(server, "listening");
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    get running() {
      return server ?? expect.fail("no server");
    },
  };
}
