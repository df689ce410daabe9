import { readFile } from "node:fs/promises";
import { Agent, type Dispatcher } from "undici";
import { childOf, type Widget } from "./widget.ts";

/** The minimal code that makes the same API calls: one connection pool, no cache, no queue, no comparison. */
export interface BareApi {
  call(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Record<string, unknown>>;
  stream(path: string): Promise<AsyncIterable<Buffer>>;
  close(): Promise<void>;
}

interface Credentials {
  readonly clusters: readonly [{ cluster: { server: string; "certificate-authority-data": string } }];
  readonly users: readonly [{ user: { "client-certificate-data": string; "client-key-data": string } }];
}

/** Connects with the credentials of a kubeconfig that carries them inline. */
export async function connectBare(kubeconfigPath: string): Promise<BareApi> {
  const config = JSON.parse(await readFile(kubeconfigPath, "utf8")) as Credentials;
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  const pem = (data: string): string => Buffer.from(data, "base64").toString();
  const agent = new Agent({
    connections: 64,
    connect: {
      ca: pem(cluster["certificate-authority-data"]),
      cert: pem(user["client-certificate-data"]),
      key: pem(user["client-key-data"]),
    },
    allowH2: false,
    bodyTimeout: 0,
  });
  const send = (method: Dispatcher.HttpMethod, path: string, body?: unknown) =>
    agent.request({
      origin: cluster.server,
      method,
      path,
      headers: { "content-type": method === "PATCH" ? "application/apply-patch+yaml" : "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  return {
    call: async (method, path, body) => (await (await send(method, path, body)).body.json()) as Record<string, unknown>,
    stream: async (path) => (await send("GET", path)).body,
    close: () => agent.close(),
  };
}

const applied = "?fieldManager=bare&force=true";

/** The two writes that a new widget requires. */
export async function writeChildAndStatus(api: BareApi, widget: Widget): Promise<void> {
  const { name, namespace } = widget.metadata;
  await api.call("PATCH", `/api/v1/namespaces/${namespace}/configmaps/${name}${applied}`, childOf(widget));
  await api.call(
    "PATCH",
    `/apis/bench.butlerlabs.dev/v1alpha1/namespaces/${namespace}/barewidgets/${name}/status${applied}`,
    {
      apiVersion: "bench.butlerlabs.dev/v1alpha1",
      kind: "BareWidget",
      metadata: { name, namespace },
      status: {
        size: widget.spec.size,
        observedGeneration: widget.metadata.generation,
        conditions: [
          {
            type: "Ready",
            status: "True",
            reason: "Copied",
            message: "copied",
            lastTransitionTime: "2026-01-01T00:00:00Z",
          },
        ],
      },
    },
  );
}

/** Runs work for each item, with limited concurrency. */
export async function inParallel<T>(
  items: Iterable<T>,
  workers: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
