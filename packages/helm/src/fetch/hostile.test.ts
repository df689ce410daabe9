import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { archiveOf, smallChart, tarOf } from "../testing/archives.ts";
import { ChartsForTests } from "../testing/charts-for-tests.ts";
import { startChartRepository } from "../testing/chart-repository.ts";
import { startOciRegistry } from "../testing/oci-registry.ts";
import { createRepositoryFolder, putChart } from "../testing/served-charts.ts";
import type { Misbehaviour, TestServer } from "../testing/server-knobs.ts";
import { Cleanups, createStore, failureOf } from "../testing/store-bench.ts";

const { signal } = new AbortController();
const cleanups = new Cleanups();
const mebibyte = 1024 * 1024;
const credentials = { username: "robot", password: "hunter2" };
/** Small enough to meet them soon, large enough for a busy machine to do honest work in. */
const limits = {
  headersMs: 800,
  idleMs: 800,
  totalMs: 3000,
  indexBytes: mebibyte,
  manifestBytes: mebibyte,
  archiveBytes: mebibyte,
};
const charts = new ChartsForTests(cleanups);

/** A repository or registry with one chart in it, and which of its answers goes wrong. */
const answers = {
  "the index": { kind: "http", path: /index.yaml$/ },
  "an archive": { kind: "http", path: /tgz$/ },
  "a list of tags": { kind: "oci", path: /tags\/list/ },
  "a manifest": { kind: "oci", path: /manifests/ },
  "a layer": { kind: "oci", path: /blobs/ },
  "a token": { kind: "oci", path: /token/ },
} as const;
type Answer = keyof typeof answers;

/** A separate server for one of several concurrent tests. */
async function serveOneChart(kind: "http" | "oci", until: Cleanups): Promise<TestServer> {
  if (kind === "oci") {
    const registry = await startOciRegistry({ credentials, auth: "bearer" });
    until.add(() => registry.stop());
    putChart(registry, "1.0.0");
    return registry;
  }
  const own = await createRepositoryFolder();
  until.add(() => own.remove());
  await own.add("1.0.0");
  const server = await startChartRepository(own.folder, { credentials });
  until.add(() => server.stop());
  return server;
}

async function failure(answer: Answer, how: Misbehaviour): Promise<{ reason: string; text: string; host: string }> {
  const { kind, path } = answers[answer];
  const until = new Cleanups();
  try {
    const folder = await mkdtemp(join(tmpdir(), "butler-charts-"));
    const store = await createStore(until, { limits, folder });
    const server = await serveOneChart(kind, until);
    server.misbehave(path, how);
    const repository = kind === "http" ? server.url : `oci://${server.host}/charts`;
    const failed = await failureOf(store.fetch({ repository, name: "web", version: undefined, credentials }, signal));
    // No partial files are left behind.
    expect(await readdir(join(folder, "incoming")).catch(() => [])).toEqual([]);
    return { ...failed, host: server.host };
  } finally {
    await until.run();
  }
}

// At the same time, because most of their time is spent on waiting for limits.
describe.concurrent.each(Object.keys(answers) as Answer[])("%s", (answer) => {
  it.each<[string, Misbehaviour, RegExp]>([
    ["does not come", { kind: "hang" }, /^RepositoryTimeout$/],
    ["drips", { kind: "drip", everyMs: 100 }, /^RepositoryTimeout$/],
    ["drips slower", { kind: "drip", everyMs: 1500 }, /^RepositoryTimeout$/],
    ["has no end", { kind: "endless" }, /^RepositoryTooLarge$/],
    ["says that it is too large", { kind: "body", body: Buffer.alloc(2 * mebibyte) }, /^RepositoryTooLarge$/],
    ["is shorter than it says", { kind: "wrongLength", by: 500 }, /^RepositoryUnreachable$/],
    ["is longer than it says", { kind: "wrongLength", by: -500 }, /^RepositoryInvalid$|^ChartInvalid$/],
    ["is cut off", { kind: "breakOff" }, /^RepositoryUnreachable$/],
    ["is not HTTP", { kind: "garbage" }, /^RepositoryInvalid$/],
    ["is something else", { kind: "body", body: "hunter2 is in this body" }, /^RepositoryInvalid$|^ChartInvalid$/],
    ["is other JSON", { kind: "body", body: "[]" }, /^RepositoryInvalid$|^ChartInvalid$/],
    ["is 401", { kind: "status", status: 401 }, /^CredentialsRefused$/],
    ["is 403", { kind: "status", status: 403 }, /^CredentialsRefused$/],
    ["is 404", { kind: "status", status: 404 }, /^RepositoryInvalid$|NotFound$/],
    ["is 408", { kind: "status", status: 408 }, /^RepositoryTimeout$/],
    ["is 429", { kind: "status", status: 429 }, /^RepositoryUnreachable$/],
    ["is 500", { kind: "status", status: 500 }, /^RepositoryUnreachable$/],
    ["is 418", { kind: "status", status: 418 }, /^RepositoryInvalid$/],
    ["is 304 without having been asked", { kind: "status", status: 304 }, /^RepositoryInvalid$/],
    ["is another protocol", { kind: "switch" }, /^RepositoryUnreachable$|^RepositoryInvalid$/],
    ["leads to nowhere", { kind: "redirect", to: "" }, /^RepositoryInvalid$/],
    ["leads in circles", { kind: "redirect", to: "?" }, /^RepositoryRedirected$/],
    ["leads to a file", { kind: "redirect", to: "file:///etc/passwd" }, /^RepositoryRedirected$/],
    [
      "leads to a cloud's metadata",
      { kind: "redirect", to: "http://169.254.169.254/latest" },
      /^RepositoryRedirected$|^RepositoryUnreachable$/,
    ],
    [
      "leads to an address with credentials",
      { kind: "redirect", to: "http://a:hunter2@127.0.0.1/" },
      /^RepositoryRedirected$/,
    ],
  ])("that %s is a failure with a reason", async (_what, how, reason) => {
    const { reason: found, text, host } = await failure(answer, how);
    expect(found).toMatch(reason);
    expect(text).toMatch(new RegExp(`${host}|169.254.169.254`));
    expect(text).not.toContain("hunter2");
  });
});

describe("an HTTP repository that redirects", () => {
  charts.use();

  const source = (server: TestServer) => ({
    repository: server.url,
    name: "web",
    version: undefined,
    credentials,
  });

  it("is followed within its own host, with credentials", async () => {
    await charts.add("1.0.0");
    const [server, store] = [await charts.serve({ credentials }), await createStore(cleanups)];
    server.misbehave(/^\/index.yaml$/, { kind: "redirect", to: "/./index.yaml?x", status: 308 });
    expect(await store.fetch(source(server), signal)).toMatchObject({ version: "1.0.0" });
  });

  it("is rejected for its index and for an archive without digest; otherwise followed without credentials", async () => {
    const other = await charts.serve();
    const [server, store] = [await charts.serve(), await createStore(cleanups)];
    server.misbehave(/index.yaml/, { kind: "redirect", to: `${other.url}/index.yaml` });
    expect(await failureOf(store.fetch(source(server), signal))).toMatchObject({ reason: "RepositoryRedirected" });
    server.misbehave(/index.yaml/, undefined);
    server.misbehave(/tgz$/, { kind: "redirect", to: `${other.url}/charts/web-1.0.0.tgz` });
    await charts.add("1.0.0", { digest: null });
    expect(await failureOf(store.fetch(source(server), signal))).toMatchObject({ reason: "RepositoryRedirected" });
    expect(other.requests).toEqual([]);
    await charts.empty();
    await charts.add("1.0.0");
    const [checked, target] = [await charts.serve(), await charts.serve()];
    checked.misbehave(/tgz$/, { kind: "redirect", to: `${target.url}/charts/web-1.0.0.tgz` });
    expect(await store.fetch(source(checked), signal)).toMatchObject({ version: "1.0.0" });
    expect(target.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it("is rejected when it lists an archive on another host without a digest", async () => {
    const other = await charts.serve();
    await charts.add("1.0.0", { digest: null, url: `${other.url}/charts/web-1.0.0.tgz` });
    const failed = await failureOf((await createStore(cleanups)).fetch(source(await charts.serve()), signal));
    expect(failed).toMatchObject({ reason: "RepositoryRedirected" });
    expect(other.requests).toEqual([]);
  });

  it("does not get its credentials after a redirect through another host", async () => {
    await charts.add("1.0.0");
    const [server, other] = [await charts.serve(), await charts.serve()];
    server.misbehave(/tgz$/, { kind: "redirect", to: `${other.url}/back` });
    other.misbehave(/back/, { kind: "redirect", to: `${server.url}/charts/web-1.0.0.tgz?again` });
    await (await createStore(cleanups)).fetch(source(server), signal);
    expect(server.requests.at(-1)).toMatchObject({ path: "/charts/web-1.0.0.tgz?again" });
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it("is rejected when it redirects from https to http", async () => {
    await charts.add("1.0.0");
    const [server, other] = [await charts.serve({ tls: true }), await charts.serve()];
    server.misbehave(/tgz$/, { kind: "redirect", to: `${other.url}/charts/web-1.0.0.tgz` });
    const trusting = { ...source(server), credentials: { ca: server.ca } };
    const failed = await failureOf((await createStore(cleanups)).fetch(trusting, signal));
    expect(failed).toMatchObject({ reason: "RepositoryRedirected" });
  });
});

describe("an archive from a repository", () => {
  charts.use();

  const fetchFrom = async (options: { archive?: Buffer; digest?: string }) => {
    await charts.add("1.0.0", options);
    const store = await createStore(cleanups, { limits });
    return store.fetch({ repository: (await charts.serve()).url, name: "web", version: undefined }, signal);
  };

  it.each<[string, { archive?: Buffer; digest?: string }, string]>([
    ["that is another one than listed", { digest: "ab".repeat(32) }, "RepositoryInvalid"],
    ["whose digest is none", { digest: "md5:abc" }, "RepositoryInvalid"],
    [
      "that is a bomb",
      { archive: gzipSync(tarOf([...smallChart(), { name: "web/x", content: Buffer.alloc(64 * mebibyte) }])) },
      "ChartInvalid",
    ],
    ["that climbs", { archive: archiveOf([...smallChart(), { name: "web/../../x" }]) }, "ChartInvalid"],
    ["of another chart", { archive: archiveOf(smallChart({ name: "other" })) }, "ChartInvalid"],
    ["of another version", { archive: archiveOf(smallChart({ version: "6.6.6" })) }, "ChartInvalid"],
  ])("%s is refused", async (_what, options, reason) => {
    expect(await failureOf(fetchFrom(options))).toMatchObject({ reason, isPassing: false });
  });
});
