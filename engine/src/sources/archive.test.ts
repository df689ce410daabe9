import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { selectTools, type Tool } from "../lock-file.ts";
import { aToolsLock, fakeProgram } from "../testing/fake-tool.ts";
import { type ReleaseMirror, sha256, startReleaseMirror } from "../testing/release-mirror.ts";
import { buildTar } from "../testing/tar-archive.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { archiveSource } from "./archive.ts";
import { HostUnreachable } from "./http-download.ts";

interface Outcome {
  readonly delivered: Record<string, string>;
  readonly failures: Record<string, unknown>;
  readonly fractions: number[];
  readonly leftBehind: string[];
}

async function bring(tools: readonly Tool[], mirror: string, proxy?: string): Promise<Outcome> {
  const workDirectory = await temporaryDirectory();
  const delivered: Record<string, string> = {};
  const fractions: number[] = [];
  const failures: Record<string, unknown> = {};
  await archiveSource({ environment: { MIRROR: mirror, HTTP_PROXY: proxy }, connectTimeoutMs: 500 }).bring({
    tools,
    workDirectory,
    signal: undefined,
    fail: (tool, error) => {
      failures[tool.name] = error;
    },
    note: () => undefined,
    working: (_tool, fraction) => fraction !== undefined && fractions.push(fraction),
    deliver: async (tool, file) => {
      delivered[tool.name] = await readFile(file, "utf8");
    },
  });
  return {
    delivered,
    fractions,
    failures,
    leftBehind: await readdir(workDirectory),
  };
}

const bare = selectTools(aToolsLock(["one", "two"]), ["one", "two"]);

async function aMirror(): Promise<ReleaseMirror> {
  const mirror = await startReleaseMirror();
  mirror.putWithChecksum("/v1.2.3/one", fakeProgram());
  mirror.putWithChecksum("/v1.2.3/two", fakeProgram());
  return mirror;
}

describe("archiveSource", () => {
  it("delivers bare programs after verifying their checksums", async () => {
    const mirror = await aMirror();
    const outcome = await bring(bare, mirror.url);
    expect(outcome).toMatchObject({ delivered: { one: fakeProgram(), two: fakeProgram() }, failures: {} });
    expect(outcome.fractions.at(-1)).toBe(1);
    expect(outcome.leftBehind).toEqual([]);
    expect(mirror.requests).toEqual(["/v1.2.3/one.sha256", "/v1.2.3/one", "/v1.2.3/two.sha256", "/v1.2.3/two"]);
  });

  it("extracts a program from an archive", async () => {
    const mirror = await startReleaseMirror();
    const lock = aToolsLock(["one"], { path: "{name}.tar.gz", checksumPath: "SUMS", member: "dir/{name}" });
    const archive = gzipSync(buildTar([{ name: "dir/one", content: fakeProgram() }]));
    mirror.put("/one.tar.gz", archive);
    mirror.put("/SUMS", `${"0".repeat(64)}  other.tar.gz\n${sha256(archive)}  one.tar.gz\n`);
    const outcome = await bring(selectTools(lock, ["one"]), mirror.url);
    expect(outcome).toMatchObject({ delivered: { one: fakeProgram() }, failures: {}, leftBehind: [] });
  });

  it("downloads an archive of several programs once, and delivers the programs in it", async () => {
    const mirror = await startReleaseMirror();
    const names = ["one", "two", "three"];
    const lock = aToolsLock(names, { path: "all.tgz", checksumPath: "all.tgz.sha256", member: "bin/{name}" });
    const content = [
      { name: "bin/two", content: fakeProgram("v1.2.3", "two") },
      { name: "bin/one", content: fakeProgram() },
    ];
    mirror.putWithChecksum("/all.tgz", gzipSync(buildTar(content)));
    const { delivered, failures, leftBehind } = await bring(selectTools(lock, names), mirror.url);
    expect(delivered).toEqual({ one: fakeProgram(), two: fakeProgram("v1.2.3", "two") });
    expect(String(failures["three"])).toContain("the archive does not contain bin/three");
    expect(mirror.requests).toEqual(["/all.tgz.sha256", "/all.tgz"]);
    expect(leftBehind).toEqual([]);
  });

  it("reports progress of an archive of several programs by its own size", async () => {
    const mirror = await startReleaseMirror();
    const lock = aToolsLock(["one"], { path: "all.tgz", checksumPath: "all.tgz.sha256", member: "one", megabytes: 2 });
    const filling = { name: "filling", content: randomBytes(5_000_000).toString("base64") };
    mirror.putWithChecksum("/all.tgz", gzipSync(buildTar([filling, { name: "one", content: fakeProgram() }])));
    expect((await bring(selectTools(lock, ["one"]), mirror.url)).delivered).toEqual({ one: fakeProgram() });
  });

  it("rejects a tool that is not published", () => {
    const source = archiveSource({ environment: {} });
    const [one] = bare;
    expect(one && source.refuses?.(one)).toBeUndefined();
    expect(one && source.refuses?.({ ...one, project: { linkValues: {} } })).toContain("publishes no binary");
  });

  it("names both checksums when they differ, deletes the file and continues with the next tool", async () => {
    const mirror = await aMirror();
    const promised = sha256("what was promised");
    mirror.put("/v1.2.3/one.sha256", promised);
    const { delivered, failures, leftBehind } = await bring(bare, mirror.url);
    expect(Object.keys(delivered)).toEqual(["two"]);
    expect(String(failures["one"])).toContain(promised);
    expect(String(failures["one"])).toContain(sha256(fakeProgram()));
    expect(leftBehind).toEqual([]);
  });

  it("fails for a tool that is not found, has no checksum or is too large", async () => {
    const mirror = await aMirror();
    mirror.put("/v1.2.3/one.sha256", "<html>");
    mirror.putWithChecksum("/v1.2.3/two", Buffer.alloc(4_000_001));
    const [three] = selectTools(aToolsLock(["three"]), ["three"]);
    const { failures, leftBehind } = await bring([...bare, ...(three ? [three] : [])], mirror.url);
    expect(String(failures["one"])).toContain("has no SHA-256 for one");
    expect(String(failures["two"])).toContain("larger than 4000000 bytes");
    expect(String(failures["three"])).toContain("three.sha256 returned HTTP 404");
    expect(leftBehind).toEqual([]);
  });

  it("follows redirects up to a limit", async () => {
    const mirror = await startReleaseMirror((path, response) => {
      if (!path.startsWith("/from/") && !path.startsWith("/loop/")) return Promise.resolve(false);
      response.writeHead(302, { location: path.startsWith("/loop/") ? path : path.slice("/from".length) }).end();
      return Promise.resolve(true);
    });
    mirror.putWithChecksum("/v1.2.3/one", fakeProgram());
    const one = bare.slice(0, 1);
    expect(Object.keys((await bring(one, `${mirror.url}/from`)).delivered)).toEqual(["one"]);
    expect(String((await bring(one, `${mirror.url}/loop`)).failures["one"])).toContain("too many redirects");
  });

  it("tries a host that refuses connections only once", async () => {
    const { failures } = await bring(bare, "http://127.0.0.1:9");
    expect(failures["one"]).toBeInstanceOf(HostUnreachable);
    expect(failures["two"]).toBe(failures["one"]);
  });

  it("gives up on a host that does not complete a connection, and waits for it only once", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const start = performance.now();
    const { failures } = await bring(bare, `https://127.0.0.1:${port}`);
    server.close();
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(String(failures["one"])).toContain("cannot reach");
    expect(failures["two"]).toBe(failures["one"]);
  });

  it("uses the proxy from the environment", async () => {
    const proxy = await startReleaseMirror();
    proxy.putWithChecksum("http://releases.example/v1.2.3/one", fakeProgram());
    const { delivered } = await bring(bare.slice(0, 1), "http://releases.example", proxy.url);
    expect(delivered).toEqual({ one: fakeProgram() });
  });

  it("rejects a mirror that is not a URL", async () => {
    expect(String((await bring(bare, "mirror.example")).failures["one"])).toContain("not an http or https URL");
  });
});
