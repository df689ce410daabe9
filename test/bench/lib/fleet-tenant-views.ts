import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import type { ControlPlane } from "@butler/engine";
import { Agent, type Dispatcher } from "undici";

/** The label of a simulated Node with its tenant. */
export const tenantLabel = "fleet.example.com/tenant";

/**
 * Makes one API server appear as one per tenant: `/<tenant>/...` maps to `/...`, but lists and watches of Nodes return
 * the tenant's own only. Otherwise Cluster API would cache every Node once per tenant, as in no real fleet.
 */
export class TenantViews {
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #origin: string;
  readonly #counts = new Map<string, number>();

  private constructor({ server, caPem, adminCert, adminKey }: ControlPlane) {
    this.#origin = server;
    const connect = { ca: caPem, cert: adminCert, key: adminKey };
    this.#agent = new Agent({ connect, bodyTimeout: 0, headersTimeout: 0, allowH2: false });
    this.#server = createServer((request, response) => {
      this.#pass(request, response).catch(() => response.destroy());
    });
    // A watch is silent while nothing changes.
    this.#server.requestTimeout = 0;
  }

  static async open(tenants: ControlPlane): Promise<TenantViews> {
    const views = new TenantViews(tenants);
    await new Promise<void>((resolve, reject) => {
      views.#server.on("error", reject);
      views.#server.listen(0, "127.0.0.1", resolve);
    });
    return views;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Number of requests so far, by method; watches are counted separately. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** The kubeconfig of a tenant, as Cluster API and Butler find it in a Secret. */
  kubeconfig(tenant: string): string {
    const cluster = { server: `http://127.0.0.1:${this.port}/${tenant}` };
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: tenant, cluster }],
      users: [{ name: tenant, user: {} }],
      contexts: [{ name: tenant, context: { cluster: tenant, user: tenant } }],
      "current-context": tenant,
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#agent.destroy();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, isWatch } = viewedPath(request.url ?? "/");
    const what = isWatch ? "watch" : (request.method ?? "GET");
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const { accept = "*/*", "content-type": type } = request.headers;
    const hasBody = !["GET", "HEAD"].includes(request.method ?? "GET");
    const answer = await this.#agent.request({
      origin: this.#origin,
      method: request.method as Dispatcher.HttpMethod,
      path,
      headers: { accept, ...(type === undefined ? {} : { "content-type": type }) },
      body: hasBody ? request : null,
      signal: gone.signal,
    });
    const { "content-type": answerType } = answer.headers;
    response.statusCode = answer.statusCode;
    if (answerType !== undefined) response.setHeader("content-type", answerType);
    // The start of a watch must be visible before its first event.
    response.flushHeaders();
    await pipeline(answer.body, response);
  }
}

/** Maps a tenant path to the API server's path, and detects watches. */
export function viewedPath(url: string): { readonly path: string; readonly isWatch: boolean } {
  const parsed = new URL(url, "http://tenants");
  const [, tenant = "", ...rest] = parsed.pathname.split("/");
  const path = `/${rest.join("/")}`;
  const query = parsed.searchParams;
  if (path === "/api/v1/nodes") {
    const asked = query.get("labelSelector");
    query.set("labelSelector", [`${tenantLabel}=${tenant}`, ...(asked ? [asked] : [])].join(","));
  }
  const text = query.toString();
  return { path: text === "" ? path : `${path}?${text}`, isWatch: query.get("watch") !== null };
}
