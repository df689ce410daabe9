import { afterEach, describe, expect, it } from "vitest";
import { archiveOf, smallChart } from "../testing/archives.ts";
import { type OciRegistry, type OciRegistryOptions, startOciRegistry } from "../testing/oci-registry.ts";
import { putChart } from "../testing/served-charts.ts";
import { startTestServer, type TestServer } from "../testing/server-knobs.ts";
import { Cleanups, createStore, failureOf } from "../testing/store-bench.ts";
import type { Reach } from "@butler/std/outgoing";
import type { ChartSource } from "./located-chart.ts";

const { signal } = new AbortController();
const cleanups = new Cleanups();
const credentials = { username: "robot", password: "hunter2" };
afterEach(() => cleanups.run());

async function serve(options?: OciRegistryOptions): Promise<OciRegistry> {
  const registry = await startOciRegistry(options);
  cleanups.add(() => registry.stop());
  return registry;
}
const web = (server: TestServer, more: Partial<ChartSource> = {}): ChartSource => ({
  repository: `oci://${server.host}/charts`,
  name: "web",
  version: undefined,
  ...more,
});

describe("a chart from a registry", () => {
  it("is fetched by its version, or the newest stable one, and the layer only once", async () => {
    const [registry, store] = [await serve(), await createStore(cleanups)];
    for (const version of ["1.0.0", "1.9.0", "2.0.0-rc.1", "1.10.0"]) putChart(registry, version);
    registry.manifests.set("charts/web:latest", { type: "", content: Buffer.from("{}") });
    expect(await store.fetch(web(registry), signal)).toMatchObject({ name: "web", version: "1.10.0" });
    expect(await store.fetch(web(registry, { version: "1.10.0" }), signal)).toMatchObject({ version: "1.10.0" });
    expect(await store.fetch(web(registry, { version: "2.0.0-rc.1" }), signal)).toMatchObject({
      version: "2.0.0-rc.1",
    });
    expect(registry.requests.filter(({ path }) => path.includes("/blobs/"))).toHaveLength(2);
  });

  it("is found with and without a v, and with a plus in its version", async () => {
    const [registry, store] = [await serve(), await createStore(cleanups)];
    putChart(registry, "v1.0.0");
    putChart(registry, "2.0.0+build.7");
    expect(await store.fetch(web(registry, { version: "1.0.0" }), signal)).toMatchObject({ version: "v1.0.0" });
    expect(await store.fetch(web(registry, { version: "v2.0.0+build.7" }), signal)).toMatchObject({
      version: "2.0.0+build.7",
    });
    expect(await store.fetch(web(registry), signal)).toMatchObject({ version: "2.0.0+build.7" });
  });

  it("is the newest of all pages of tags", async () => {
    const [registry, store] = [await serve(), await createStore(cleanups)];
    for (let at = 0; at < 2500; at += 1) putChart(registry, `1.0.${at}`, { archive: Buffer.alloc(0) });
    putChart(registry, "1.0.2499");
    expect(await store.fetch(web(registry), signal)).toMatchObject({ version: "1.0.2499" });
    expect(registry.requests.filter(({ path }) => path.includes("/tags/"))).toHaveLength(3);
  });

  it.each(["basic", "bearer"] as const)("is fetched from one that requires credentials (%s)", async (auth) => {
    const [registry, store] = [await serve({ credentials, auth }), await createStore(cleanups)];
    putChart(registry, "1.0.0");
    expect(await store.fetch(web(registry, { credentials }), signal)).toMatchObject({ version: "1.0.0" });
    for (const wrong of [undefined, { ...credentials, password: "other" }]) {
      const failed = await failureOf(store.fetch(web(registry, { credentials: wrong }), signal));
      expect(failed).toMatchObject({ reason: "CredentialsRefused", isPassing: false });
    }
    // Asked for no more than needed, whatever the registry proposes.
    const tokens = registry.requests.filter(({ path }) => path.startsWith("/token"));
    for (const { path } of tokens) {
      expect(new URL(path, "http://x").searchParams.get("scope")).toBe("repository:charts/web:pull");
    }
    expect(tokens.length > 0).toBe(auth === "bearer");
  });

  it("is fetched over TLS, with a token from another host, also over TLS", async () => {
    const realm = await serve({ credentials, auth: "bearer", tls: true });
    const tokens = new URL("/token", realm.url.replace("127.0.0.1", "localhost"));
    const registry = await serve({ credentials, auth: "bearer", tls: true, realm: tokens.href });
    putChart(registry, "1.0.0");
    const repository = `oci://${registry.host.replace("127.0.0.1", "localhost")}/charts`;
    const trusting = { ...credentials, ca: `${registry.ca}${realm.ca}` };
    const store = await createStore(cleanups);
    // The registry does not know the realm's tokens, but by then it has been asked with one.
    const failed = await failureOf(store.fetch(web(registry, { repository, credentials: trusting }), signal));
    expect(failed).toMatchObject({ reason: "CredentialsRefused" });
    expect(realm.requests.map(({ headers }) => headers.authorization?.split(" ")[0])).toEqual(["Basic"]);
    expect(registry.requests.map(({ headers }) => headers.authorization?.split(" ")[0])).toEqual([undefined, "Bearer"]);
    const own = await serve({ credentials, auth: "bearer", tls: true });
    putChart(own, "1.0.0");
    const ownSource = web(own, {
      repository: `oci://${own.host.replace("127.0.0.1", "localhost")}/charts`,
      credentials: { ...credentials, ca: own.ca },
    });
    expect(await store.fetch(ownSource, signal)).toMatchObject({ version: "1.0.0" });
  });

  it("does not send credentials to a realm without TLS or with a narrower address", async () => {
    const thief = await startTestServer(async (_request, response) => void response.end("{}"), { host: "127.0.0.3" });
    cleanups.add(() => thief.stop());
    const registry = await serve({ credentials, auth: "bearer", realm: `${thief.url}/token` });
    const failed = await failureOf((await createStore(cleanups)).fetch(web(registry, { credentials }), signal));
    expect(failed).toMatchObject({ reason: "RepositoryRedirected" });
    const inner = await serve({ credentials, auth: "bearer", realm: "https://127.0.0.3/token" });
    const reachOf = (address: string): Reach => (address === "127.0.0.3" ? "loopback" : "private");
    const store = await createStore(cleanups, { network: { reachOf } });
    expect(await failureOf(store.fetch(web(inner, { credentials }), signal))).toMatchObject({
      reason: "RepositoryRedirected",
    });
    expect(thief.requests).toEqual([]);
  });

  it("may have its layer, but not its manifest, on another host, which gets no token", async () => {
    const registry = await serve({ credentials, auth: "bearer" });
    const digest = putChart(registry, "1.0.0");
    const elsewhere = await serve();
    elsewhere.blobs.set(digest, registry.blobs.get(digest) ?? Buffer.alloc(0));
    registry.misbehave(/blobs/, { kind: "redirect", to: `${elsewhere.url}/v2/x/blobs/${digest}`, status: 307 });
    const store = await createStore(cleanups);
    expect(await store.fetch(web(registry, { credentials }), signal)).toMatchObject({ digest });
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    registry.misbehave(/manifests/, { kind: "redirect", to: `${elsewhere.url}/v2/charts/web/manifests/1.0.0` });
    const failed = await failureOf(store.fetch(web(registry, { credentials, version: "1.0.0" }), signal));
    expect(failed).toMatchObject({ reason: "RepositoryRedirected" });
  });

  it("that does not exist is reported by name", async () => {
    const [registry, store] = [await serve(), await createStore(cleanups)];
    putChart(registry, "1.0.0");
    const missing = await failureOf(store.fetch(web(registry, { name: "other" }), signal));
    expect(missing).toMatchObject({ reason: "ChartNotFound" });
    for (const version of ["9.9.9", "not/a/tag", "../../x", "a".repeat(200)]) {
      const failed = await failureOf(store.fetch(web(registry, { version }), signal));
      expect(failed).toMatchObject({ reason: "VersionNotFound" });
      expect(failed.text).toContain("The newest version is 1.0.0");
    }
    expect(registry.requests.every(({ path }) => path.startsWith("/v2/charts/"))).toBe(true);
  });

  const layer = {
    mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
    digest: `sha256:${"a".repeat(64)}`,
    size: 10,
  };
  it.each<[string, object, string]>([
    ["an image", { config: { mediaType: "application/vnd.oci.image.config.v1+json" } }, "ChartInvalid"],
    ["without layers", { layers: [] }, "RepositoryInvalid"],
    ["with two charts", { layers: [layer, layer] }, "RepositoryInvalid"],
    ["with a digest that is none", { layers: [{ ...layer, digest: "sha256:../../x" }] }, "RepositoryInvalid"],
    ["with another algorithm", { layers: [{ ...layer, digest: `sha512:${"a".repeat(128)}` }] }, "RepositoryInvalid"],
    ["without a size", { layers: [{ ...layer, size: undefined }] }, "RepositoryInvalid"],
    ["with a negative size", { layers: [{ ...layer, size: -1 }] }, "RepositoryInvalid"],
    ["that says that it is huge", { layers: [{ ...layer, size: 1e12 }] }, "RepositoryTooLarge"],
    ["whose layer is missing", { layers: [layer] }, "VersionNotFound"],
  ])("%s is refused", async (_what, manifest, reason) => {
    const [registry, store] = [await serve(), await createStore(cleanups)];
    putChart(registry, "1.0.0", { manifest });
    expect(await failureOf(store.fetch(web(registry), signal))).toMatchObject({ reason });
  });

  it("that does not match its digest or name is rejected", async () => {
    const [registry, store] = [await serve(), await createStore(cleanups)];
    const digest = putChart(registry, "1.0.0");
    registry.blobs.set(digest, archiveOf(smallChart({ more: "appVersion: 6.6.6\n" })));
    expect(await failureOf(store.fetch(web(registry), signal))).toMatchObject({ reason: "RepositoryInvalid" });
    putChart(registry, "2.0.0", { archive: archiveOf(smallChart({ version: "2.0.1" })) });
    expect(await failureOf(store.fetch(web(registry), signal))).toMatchObject({ reason: "ChartInvalid" });
    registry.misbehave(/manifests/, { kind: "body", body: "{}", headers: { "docker-content-digest": "sha256:00" } });
    expect(await failureOf(store.fetch(web(registry), signal))).toMatchObject({ reason: "RepositoryInvalid" });
  });

  it("is not searched on endless pages", async () => {
    const [registry, store] = [await serve(), await createStore(cleanups)];
    const headers = { link: '</v2/charts/web/tags/list?again>; rel="next"' };
    registry.misbehave(/tags/, { kind: "body", body: '{"tags":["1.0.0"]}', headers });
    expect(await failureOf(store.fetch(web(registry), signal))).toMatchObject({ reason: "RepositoryTooLarge" });
    const away = { link: '<http://169.254.169.254/>; rel="next"' };
    registry.misbehave(/tags/, { kind: "body", body: '{"tags":["1.0.0"]}', headers: away });
    expect(await failureOf(store.fetch(web(registry), signal))).toMatchObject({ reason: "RepositoryRedirected" });
  });
});
