import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { InvalidInput, Unavailable } from "@butler/std";
import { eventually, FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { archiveOf, smallChart } from "../testing/archives.ts";
import { ChartsForTests } from "../testing/charts-for-tests.ts";
import type { TestServer } from "../testing/server-knobs.ts";
import { Cleanups, createStore, failureOf } from "../testing/store-bench.ts";
import type { ChartSource } from "./located-chart.ts";

const { signal } = new AbortController();
const cleanups = new Cleanups();
const charts = new ChartsForTests(cleanups).use();
const web = (server: TestServer, more: Partial<ChartSource> = {}): ChartSource => ({
  repository: server.url,
  name: "web",
  version: undefined,
  ...more,
});
const paths = (server: TestServer): string[] => server.requests.map(({ path }) => path);

describe("a chart from an HTTP repository", () => {
  it("is fetched, checked and kept", async () => {
    await charts.add("1.0.0");
    const digest = await charts.add("1.2.0", {
      archive: archiveOf(smallChart({ version: "1.2.0", more: "appVersion: 9\n" })),
    });
    await charts.add("2.0.0-rc.1");
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    const fetched = await store.fetch(web(server), signal);
    expect(fetched).toMatchObject({ digest, name: "web", version: "1.2.0", appVersion: "9", kubeVersion: undefined });
    expect(await readFile(fetched.path)).toEqual(await readFile(join(charts.folder, "charts/web-1.2.0.tgz")));
    expect(await store.fetch(web(server, { version: "v1.0.0" }), signal)).toMatchObject({ version: "1.0.0" });
    expect(await store.fetch(web(server, { version: "2.0.0-rc.1" }), signal)).toMatchObject({ version: "2.0.0-rc.1" });
    await store.fetch(web(server), signal);
    expect(paths(server).toSorted()).toEqual([
      "/charts/web-1.0.0.tgz",
      "/charts/web-1.2.0.tgz",
      "/charts/web-2.0.0-rc.1.tgz",
      "/index.yaml",
    ]);
  });

  it("is fetched from an address below the root, with and without a slash", async () => {
    await charts.add("1.0.0");
    await charts.add("1.0.1", { url: "web-1.0.1.tgz" });
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    server.misbehave(/^\/charts\/index.yaml$/, {
      kind: "body",
      body: await readFile(join(charts.folder, "index.yaml")),
    });
    for (const repository of [`${server.url}/charts`, `${server.url}/charts/`]) {
      expect(await store.fetch(web(server, { repository }), signal)).toMatchObject({ version: "1.0.1" });
    }
    expect(paths(server)).toEqual(["/charts/index.yaml", "/charts/web-1.0.1.tgz"]);
  });

  it("is fetched once for concurrent callers, and an index once for many charts", async () => {
    for (let at = 0; at < 30; at += 1) await charts.add("1.0.0", { name: `web-${at}` });
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    const wanted = Array.from({ length: 90 }, (_, at) => web(server, { name: `web-${at % 30}` }));
    const fetched = await Promise.all(wanted.map((source) => store.fetch(source, signal)));
    expect(new Set(fetched.map(({ digest }) => digest)).size).toBe(30);
    expect(server.requests).toHaveLength(31);
  });

  it("is found in a changed index, which is revalidated at intervals and downloaded only when changed", async () => {
    await charts.add("1.0.0");
    const clock = new FakeClock();
    const [server, store] = [
      await charts.serve(),
      await createStore(cleanups, { clock, limits: { indexFreshMs: 1000 } }),
    ];
    await store.fetch(web(server), signal);
    clock.advance(1001);
    await store.fetch(web(server), signal);
    expect(paths(server)).toEqual(["/index.yaml", "/charts/web-1.0.0.tgz", "/index.yaml"]);
    expect(server.requests[2]?.headers["if-none-match"]).toBeDefined();
    await charts.add("1.1.0");
    clock.advance(10);
    expect(await store.fetch(web(server), signal)).toMatchObject({ version: "1.0.0" });
    // A version that an index does not have may be newer than the index.
    expect(await store.fetch(web(server, { version: "1.1.0" }), signal)).toMatchObject({ version: "1.1.0" });
    expect(await store.fetch(web(server), signal)).toMatchObject({ version: "1.1.0" });
  });

  it("is read from a compressed index", async () => {
    await charts.add("1.0.0");
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    const body = gzipSync(await readFile(join(charts.folder, "index.yaml")));
    server.misbehave(/index.yaml/, { kind: "body", body, headers: { "content-encoding": "gzip" } });
    expect(await store.fetch(web(server), signal)).toMatchObject({ version: "1.0.0" });
    server.misbehave(/index.yaml/, { kind: "body", body: "no", headers: { "content-encoding": "gzip" } });
    expect(await failureOf((await createStore(cleanups)).fetch(web(server), signal))).toMatchObject({
      reason: "RepositoryInvalid",
    });
  });

  it("without a digest in the index is fetched once while the index is cached", async () => {
    const digest = await charts.add("1.0.0", { digest: null });
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    for (let at = 0; at < 3; at += 1) expect(await store.fetch(web(server), signal)).toMatchObject({ digest });
    expect(server.requests).toHaveLength(2);
  });

  it("is cached across restarts, and fetched again when its file is damaged", async () => {
    await charts.add("1.0.0");
    const folder = await mkdtemp(join(tmpdir(), "butler-charts-"));
    cleanups.add(() => rm(folder, { recursive: true, force: true }));
    const server = await charts.serve();
    const first = await (await createStore(cleanups, { folder })).fetch(web(server), signal);
    const store = await createStore(cleanups, { folder });
    expect(await store.fetch(web(server), signal)).toEqual(first);
    expect(server.requests).toHaveLength(3);
    const content = await readFile(first.path);
    await writeFile(first.path, content.subarray(0, 50));
    expect(await store.fetch(web(server), signal)).toEqual(first);
    expect(await readFile(first.path)).toEqual(content);
    expect(server.requests).toHaveLength(4);
  });

  it("is fetched with username and password, which are sent nowhere else", async () => {
    const elsewhere = await charts.serve();
    await charts.add("1.0.0");
    await charts.add("1.1.0", { url: `${elsewhere.url}/charts/web-1.1.0.tgz` });
    const credentials = { username: "robot", password: "hunter2" };
    const [server, store] = [await charts.serve({ credentials }), await createStore(cleanups)];
    expect(await store.fetch(web(server, { version: "1.0.0", credentials }), signal)).toMatchObject({
      version: "1.0.0",
    });
    expect(await store.fetch(web(server, { credentials }), signal)).toMatchObject({ version: "1.1.0" });
    expect(elsewhere.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/charts/web-1.1.0.tgz", undefined],
    ]);
    for (const wrong of [undefined, { username: "robot", password: "wrong" }, { username: "robot" }]) {
      const failure = await failureOf(store.fetch(web(server, { credentials: wrong }), signal));
      expect(failure).toMatchObject({ reason: "CredentialsRefused", isPassing: false });
      expect(failure.text).toContain(server.host);
      expect(failure.text).not.toMatch(/hunter2|wrong/);
    }
  });

  it("is fetched over TLS with its own CA", async () => {
    await charts.add("1.0.0");
    const [server, store] = [await charts.serve({ tls: true }), await createStore(cleanups)];
    const credentials = { ca: server.ca, username: "a", password: "b" };
    expect(await store.fetch(web(server, { credentials }), signal)).toMatchObject({ version: "1.0.0" });
    const failure = await failureOf(store.fetch(web(server), signal));
    expect(failure).toMatchObject({ reason: "RepositoryUnreachable", isPassing: false });
    expect(failure.text).toContain("not trusted");
    const plain = web(server, { repository: server.url.replace("https", "http") });
    expect(await failureOf(store.fetch(plain, signal))).toMatchObject({ reason: expect.stringMatching(/^Repository/) });
    await expect(store.fetch(web(server, { credentials: { ca: "nonsense" } }), signal)).rejects.toBeInstanceOf(
      InvalidInput,
    );
  });

  it("that does not exist is reported by name", async () => {
    await charts.add("1.0.0");
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    expect(await failureOf(store.fetch(web(server, { name: "other" }), signal))).toMatchObject({
      reason: "ChartNotFound",
    });
    const failure = await failureOf(store.fetch(web(server, { version: "9.9.9" }), signal));
    expect(failure).toMatchObject({ reason: "VersionNotFound" });
    expect(failure.text).toContain("The newest version is 1.0.0");
    const below = web(server, { repository: `${server.url}/nothing` });
    expect(await failureOf(store.fetch(below, signal))).toMatchObject({ reason: "RepositoryInvalid" });
  });

  it("is rejected without a request when its source is invalid", async () => {
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    const wrong: Partial<ChartSource>[] = [
      { repository: server.url.replace("://", "://user:hunter2@") },
      { name: "../web" },
      { credentials: { username: "a:b", password: "c" } },
      { credentials: { username: "a", password: "line\nbreak" } },
    ];
    for (const more of wrong) await expect(store.fetch(web(server, more), signal)).rejects.toBeInstanceOf(InvalidInput);
    expect(server.requests).toEqual([]);
  });

  it("is canceled when no caller is left, and when the store is closed", async () => {
    await charts.add("1.0.0");
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    server.misbehave(/tgz$/, { kind: "hang" });
    const controller = new AbortController();
    const given = store.fetch(web(server), controller.signal);
    await eventually(() => paths(server).includes("/charts/web-1.0.0.tgz"));
    controller.abort(new Error("changed my mind"));
    await expect(given).rejects.toThrow("changed my mind");
    const waiting = store.fetch(web(server), signal);
    await eventually(() => paths(server).filter((path) => path.endsWith("tgz")).length === 2);
    await Promise.all([store.close(), expect(waiting).rejects.toBeInstanceOf(Unavailable)]);
    await expect(store.fetch(web(server), signal)).rejects.toBeInstanceOf(Unavailable);
  });
});
