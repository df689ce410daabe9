import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { isAdmitted, startTestServer, type TestServer, type TestServerOptions } from "./server-knobs.ts";

/** Serves a folder with an `index.yaml` and archives as a chart repository does. */
export async function startChartRepository(folder: string, options: TestServerOptions = {}): Promise<TestServer> {
  const serve = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    if (!isAdmitted(request, options)) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="charts"' }).end();
      return;
    }
    const name = decodeURIComponent(path.split("?")[0] ?? "");
    const content = name.includes("..") ? undefined : await readFile(join(folder, name)).catch(() => undefined);
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    const etag = `"${createHash("sha256").update(content).digest("hex")}"`;
    if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, "content-length": content.length }).end(content);
  };
  return startTestServer(serve, options);
}
