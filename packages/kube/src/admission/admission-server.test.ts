import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { Agent, request, type RequestOptions } from "node:https";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { builtinKinds } from "@butler/resource";
import { Bug, InvalidInput } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { AdmissionHandler } from "./admission-review.ts";
import { AdmissionServer, type AdmissionServerOptions } from "./admission-server.ts";
import { type IssuedCertificate, OpensslAuthority } from "./openssl-authority.ts";

const review = JSON.stringify({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    uid: "u",
    kind: { group: "", version: "v1", kind: "ConfigMap" },
    operation: "CREATE",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } },
  },
});

let authority: OpensslAuthority;
let first: IssuedCertificate;
let directory: string;
let close: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  authority = await OpensslAuthority.create("one");
  first = await authority.issue("first");
});

afterEach(async () => {
  await Promise.all(close.map((end) => end()));
  close = [];
});

afterAll(() => authority.remove());

/** Puts a pair where kubelet would: files behind a link to a directory that is swapped in one step. */
async function mount(pair: Partial<IssuedCertificate>): Promise<void> {
  const data = join(directory, `..${(await readdir(directory)).length}`);
  await mkdir(data);
  if (pair.cert !== undefined) await writeFile(join(data, "tls.crt"), pair.cert);
  if (pair.key !== undefined) await writeFile(join(data, "tls.key"), pair.key);
  await symlink(data, join(directory, "..data_tmp"));
  await rename(join(directory, "..data_tmp"), join(directory, "..data"));
}

async function serve(handler: Partial<AdmissionHandler> = {}, options: Partial<AdmissionServerOptions> = {}) {
  directory = await mkdtemp(join(tmpdir(), "butler-admission-"));
  const here = directory;
  await mount(first);
  const metrics = new MetricsRegistry();
  const server = new AdmissionServer({
    handlers: [{ path: "/check", kind: builtinKinds.ConfigMap, ...handler }],
    certificate: { certFile: join(here, "..data", "tls.crt"), keyFile: join(here, "..data", "tls.key") },
    port: 0,
    host: "127.0.0.1",
    certificateCheckMs: 10,
    metrics,
    ...options,
  });
  const port = await server.start();
  close.push(async () => {
    await server.stop();
    await rm(here, { recursive: true });
  });
  return { server, port, metrics };
}

interface Reply {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

function post(port: number, options: RequestOptions & { body?: string | Buffer } = {}): Promise<Reply> {
  const { body = review, ...rest } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port,
        path: "/check?timeout=10s",
        method: "POST",
        ca: authority.caPem,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
        agent: false,
        ...rest,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            connection: incoming.headers.connection,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** The common name of the certificate that a new connection gets. */
async function servedName(port: number, options: ConnectionOptions = {}): Promise<string> {
  const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options });
  try {
    await once(socket, "secureConnect");
    return String(socket.getPeerCertificate().subject.CN);
  } finally {
    socket.destroy();
  }
}

describe("AdmissionServer", () => {
  it("answers and counts", async () => {
    const { port, metrics } = await serve({ validate: () => [{ path: "data.x", message: "is wrong" }] });
    const { status, body } = await post(port);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      response: { uid: "u", allowed: false, status: { message: "data.x: is wrong" } },
    });
    expect((await post(port, { path: "/made-up" })).status).toBe(404);
    expect(await metrics.value("butler_admission_requests_total", { path: "/check", result: "denied" })).toBe(1);
    expect(await metrics.value("butler_admission_requests_total", { path: "other", result: "malformed" })).toBe(1);
    expect(await metrics.text()).toContain('butler_admission_duration_seconds_count{path="/check"} 1');
  });

  it("does not read beyond the limit, declared or not", async () => {
    const { port } = await serve({}, { maximumReviewBytes: 1_000_000 });
    const body = Buffer.alloc(2_000_000, " ");
    const answer = await post(port, {
      body,
      headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
    });
    expect(answer).toMatchObject({ status: 413, connection: "close" });
    const declared = await post(port, {
      body: "",
      headers: { "content-type": "application/json", "content-length": 2_000_000 },
    });
    expect(declared).toMatchObject({ status: 413, connection: "close" });
  });

  it("denies in time when a handler hangs, and when the body never arrives", async () => {
    const { port, metrics } = await serve({ validate: () => new Promise(() => undefined) }, { requestLimitMs: 50 });
    expect(JSON.parse((await post(port)).body)).toMatchObject({ response: { allowed: false, status: { code: 504 } } });
    const headers = { "content-type": "application/json", "content-length": 10 };
    expect(await post(port, { body: "", headers })).toMatchObject({ status: 408, connection: "close" });
    expect(await metrics.value("butler_admission_requests_total", { path: "/check", result: "timeout" })).toBe(1);
  });

  it("aborts the handler when the caller disconnects", async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const { port, metrics } = await serve({
      validate: (_request, signal) => {
        asked.resolve(signal);
        return new Promise(() => undefined);
      },
    });
    const caller = new AbortController();
    const call = post(port, { signal: caller.signal });
    const signal = await asked.promise;
    caller.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => signal.aborted);
    const aborted = () => metrics.value("butler_admission_requests_total", { path: "/check", result: "aborted" });
    await eventually(async () => (await aborted()) === 1);
  });

  it("finishes calls in progress when it stops, and accepts no new ones", async () => {
    const asked = Promise.withResolvers<void>();
    const verdict = Promise.withResolvers<[]>();
    const { server, port } = await serve({
      validate: () => {
        asked.resolve();
        return verdict.promise;
      },
    });
    const agent = new Agent({ keepAlive: true });
    const underWay = post(port, { agent });
    await asked.promise;
    const stopped = server.stop();
    await expect(post(port)).rejects.toThrow("ECONNREFUSED");
    verdict.resolve([]);
    expect(await underWay).toMatchObject({ status: 200, connection: "close" });
    await stopped;
    agent.destroy();
  });

  it("stops in bounded time although a call hangs and a connection is idle", async () => {
    const asked = Promise.withResolvers<void>();
    const { server, port } = await serve(
      {
        validate: () => {
          asked.resolve();
          return new Promise(() => undefined);
        },
      },
      { stopGraceMs: 50 },
    );
    const silent = connectTcp(port, "127.0.0.1");
    await once(silent, "connect");
    const call = post(port);
    await asked.promise;
    await Promise.all([once(silent, "close"), expect(call).rejects.toThrow(), server.stop()]);
  });

  it("refuses old TLS", async () => {
    const { port } = await serve();
    const old = { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    await expect(servedName(port, old)).rejects.toThrow();
    expect(await servedName(port, { maxVersion: "TLSv1.2" })).toBe("first");
  });

  it("serves a new certificate, and keeps the old one while the new one is broken", async () => {
    const { port, metrics } = await serve();
    const reloads = (result: string) => metrics.value("butler_admission_certificate_reloads_total", { result });
    const second = await authority.issue("second");
    expect(await servedName(port)).toBe("first");

    await mount({ cert: second.cert, key: first.key });
    await eventually(async () => (await reloads("broken")) === 1);
    await mount({ cert: second.cert.slice(0, 100), key: second.key });
    await eventually(async () => (await reloads("broken")) === 2);
    await mount({ cert: second.cert });
    await eventually(async () => (await reloads("broken")) === 3);
    expect(await servedName(port)).toBe("first");

    await mount(second);
    await eventually(async () => (await servedName(port)) === "second");
    expect(await reloads("served")).toBe(1);
    expect((await post(port)).status).toBe(200);
    expect(await reloads("broken")).toBe(3);
  });

  it("accepts only clients of the given CA, and reloads that file too", async () => {
    const clients = await OpensslAuthority.create("clients");
    const others = await OpensslAuthority.create("others");
    const clientCaFile = join(tmpdir(), `butler-client-ca-${process.pid}.pem`);
    close.push(
      () => rm(clientCaFile),
      () => clients.remove(),
      () => others.remove(),
    );
    await writeFile(clientCaFile, clients.caPem);
    const { port } = await serve({}, { clientCaFile });
    const [known, stranger] = await Promise.all([clients.issue("api-server"), others.issue("mallory")]);
    expect((await post(port, known)).status).toBe(200);
    await expect(post(port, stranger)).rejects.toThrow();
    await expect(post(port)).rejects.toThrow();
    await writeFile(clientCaFile, others.caPem);
    await eventually(async () => (await post(port, stranger)).status === 200);
    await expect(post(port, known)).rejects.toThrow();
  });

  it("does not start with a mismatched pair, nor twice", async () => {
    const { server } = await serve();
    await expect(server.start()).rejects.toThrow(Bug);
    const { key } = await authority.issue("other");
    await mount({ cert: first.cert, key });
    const files = { certFile: join(directory, "..data", "tls.crt"), keyFile: join(directory, "..data", "tls.key") };
    await expect(new AdmissionServer({ handlers: [], certificate: files, port: 0 }).start()).rejects.toThrow(
      InvalidInput,
    );
  });
});
