import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import type { TestServer } from "../testing/server-knobs.ts";
import { ChartsForTests } from "../testing/charts-for-tests.ts";
import { Cleanups, createStore, failureOf } from "../testing/store-bench.ts";
import type { Reach } from "@butler/std/outgoing";
import type { ChartStoreOptions } from "./chart-store.ts";

const { signal } = new AbortController();
const cleanups = new Cleanups();
const credentials = { username: "robot", password: "hunter2" };
const charts = new ChartsForTests(cleanups).use();

describe("addresses", () => {
  /** Takes some addresses of this machine for others, and some names for these addresses. */
  const network = (
    reaches: Record<string, Reach>,
    names: Record<string, string> = {},
  ): ChartStoreOptions["network"] => ({
    reachOf: (address) => reaches[address] ?? "forbidden",
    resolve: async (name) => [{ address: names[name] ?? "", family: 4 }],
  });
  const portOf = (server: TestServer): string => new URL(server.url).port;
  const web = { name: "web", version: undefined };

  it("with narrower reach than the repository are not requested on its behalf", async () => {
    const inner = await charts.serve({ host: "127.0.0.3" });
    await charts.add("1.0.0", { url: `${inner.url}/charts/web-1.0.0.tgz` });
    const outer = await charts.serve({ host: "127.0.0.2" });
    const fetchWith = async (reaches: Record<string, Reach>) =>
      (await createStore(cleanups, { network: network(reaches) })).fetch({ ...web, repository: outer.url }, signal);
    for (const [of, to] of [
      ["public", "private"],
      ["public", "loopback"],
      ["private", "loopback"],
    ] as const) {
      const failed = await failureOf(fetchWith({ "127.0.0.2": of, "127.0.0.3": to }));
      expect(failed).toMatchObject({ reason: "RepositoryRedirected" });
    }
    expect(inner.requests).toEqual([]);
    expect(await fetchWith({ "127.0.0.2": "private", "127.0.0.3": "public" })).toMatchObject({ version: "1.0.0" });
  });

  it("are checked on connect, so that DNS rebinding gains nothing", async () => {
    const outer = await charts.serve({ host: "127.0.0.2" });
    await charts.add("1.0.0");
    const repository = `http://rebind.example:${portOf(outer)}`;
    let asked = 0;
    const store = await createStore(cleanups, {
      network: {
        reachOf: (address) => (address === "127.0.0.2" ? "public" : "loopback"),
        resolve: async () => [{ address: (asked += 1) === 1 ? "127.0.0.2" : "127.0.0.3", family: 4 }],
      },
    });
    expect(await failureOf(store.fetch({ ...web, repository }, signal))).toMatchObject({
      reason: "RepositoryRedirected",
    });
    expect([asked, outer.requests.length]).toEqual([2, 1]);
  });

  it("not allowed for repositories are never requested", async () => {
    const server = await charts.serve();
    const store = await createStore(cleanups, { network: network({}, { "a.example": "127.0.0.1" }) });
    for (const host of ["a.example", "127.0.0.1", "b.example"]) {
      const repository = `http://${host}:${portOf(server)}`;
      expect(await failureOf(store.fetch({ ...web, repository }, signal))).toMatchObject({
        reason: "RepositoryUnreachable",
      });
    }
    expect(server.requests).toEqual([]);
    const cloud = { ...web, repository: "http://169.254.169.254/latest" };
    expect(await failureOf((await createStore(cleanups)).fetch(cloud, signal))).toMatchObject({
      reason: "RepositoryUnreachable",
    });
  });

  it("that are public never get credentials in plain text", async () => {
    await charts.add("1.0.0");
    const server = await charts.serve();
    const store = await createStore(cleanups, { network: network({ "127.0.0.1": "public" }) });
    const source = { ...web, repository: server.url };
    const failed = await failureOf(store.fetch({ ...source, credentials }, signal));
    expect(failed).toMatchObject({ reason: "CredentialsRefused" });
    expect(server.requests).toEqual([]);
    expect(await store.fetch(source, signal)).toMatchObject({ version: "1.0.0" });
  });

  it("without a listener are unreachable, and so are unknown names", async () => {
    const server = await charts.serve();
    await server.stop();
    const store = await createStore(cleanups);
    const gone = await failureOf(store.fetch({ ...web, repository: server.url }, signal));
    expect(gone).toMatchObject({ reason: "RepositoryUnreachable", isPassing: true });
    const unknown = await createStore(cleanups, {
      network: {
        resolve: async () => {
          throw Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" });
        },
      },
    });
    const failed = await failureOf(unknown.fetch({ ...web, repository: "https://unknown.example" }, signal));
    expect(failed).toMatchObject({ reason: "RepositoryUnreachable" });
    expect(failed.text).toContain("unknown.example");
  });

  it("that never finish a handshake time out", async () => {
    const silent = createServer((socket) => void socket.on("error", () => undefined).resume());
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    cleanups.add(() => silent.close());
    const store = await createStore(cleanups, { limits: { connectMs: 200 } });
    const repository = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const failed = await failureOf(store.fetch({ ...web, repository }, signal));
    expect(failed).toMatchObject({ reason: "RepositoryUnreachable" });
  });

  it("that never accept a connection, or a resolver that never answers, time out", async () => {
    const store = await createStore(cleanups, {
      limits: { connectMs: 100 },
      network: { resolve: () => new Promise(() => undefined) },
    });
    const failed = await failureOf(store.fetch({ ...web, repository: "https://slow.example" }, signal));
    expect(failed).toMatchObject({ reason: "RepositoryUnreachable", isPassing: true });
  });
});
