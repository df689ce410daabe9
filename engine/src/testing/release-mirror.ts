import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A web server on loopback that stands in for a project's release host. */
export interface ReleaseMirror {
  readonly url: string;
  /** The requested paths, in order. */
  readonly requests: string[];
  /** Publishes a file. */
  put(path: string, content: string | Buffer): void;
  /** Publishes a file and its SHA-256 next to it. */
  putWithChecksum(path: string, content: string | Buffer): void;
}

/** Starts a mirror that stops with the test; `hold` may delay a response or send its own by returning true. */
export async function startReleaseMirror(
  hold: (path: string, response: ServerResponse) => Promise<boolean> = () => Promise.resolve(false),
): Promise<ReleaseMirror> {
  const files = new Map<string, Buffer>();
  const requests: string[] = [];
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    if (await hold(path, response)) return;
    const content = files.get(path);
    response.writeHead(content === undefined ? 404 : 200, { "content-length": content?.length ?? 0 }).end(content);
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    void answer(path, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const put = (path: string, content: string | Buffer): void => void files.set(path, Buffer.from(content));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    put,
    putWithChecksum: (path, content) => {
      put(path, content);
      put(`${path}.sha256`, sha256(content));
    },
  };
}

/** The SHA-256 of a content in hexadecimal. */
export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
