import { appendFile, mkdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cacheRoot, engineDigest, readDigest, ToolCache } from "./cache.ts";
import { engineToolSet } from "./tool-set.ts";
import { fakeProgram, someTools } from "./testing/fake-tool.ts";
import { sha256 } from "./testing/release-mirror.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe("engineDigest", () => {
  it("is the head of the SHA-256 over all parts in order", () => {
    expect(engineDigest([bytes("a"), bytes("b"), bytes("c")])).toBe(sha256("abc").slice(0, 16));
  });

  it("covers the lock file, the Go modules and our own Go source", async () => {
    const directory = await temporaryDirectory();
    const files = ["tools.lock.json", "go.mod", "go.sum", "coredns/main.go", "runc/go.mod", "runc/go.sum"];
    for (const folder of ["coredns", "runc"]) await mkdir(join(directory, folder));
    for (const file of files) await writeFile(join(directory, file), `${file};`);
    const digest = await readDigest({ directory, digestedFiles: engineToolSet.digestedFiles });
    expect(digest).toBe(sha256(files.map((file) => `${file};`).join("")).slice(0, 16));
    for (const file of files) {
      await appendFile(join(directory, file), "more");
      expect(await readDigest({ directory, digestedFiles: engineToolSet.digestedFiles })).not.toBe(digest);
      await writeFile(join(directory, file), `${file};`);
    }
  });
});

describe("cacheRoot", () => {
  it.each([
    [{ BUTLER_ENGINE_DIR: "/opt/engine", XDG_CACHE_HOME: "/cache" }, "/opt/engine"],
    [{ BUTLER_ENGINE_DIR: "", XDG_CACHE_HOME: "/cache" }, "/cache/butler/engine"],
    [{ BUTLER_ENGINE_DIR: "engine" }, join(process.cwd(), "engine")],
    [{}, join(homedir(), ".cache/butler/engine")],
    [{ XDG_CACHE_HOME: "" }, join(homedir(), ".cache/butler/engine")],
  ])("of %o is %s", (environment, expected) => {
    expect(cacheRoot(environment)).toBe(expected);
  });
});

describe("ToolCache", () => {
  const tools = someTools("one", "two");
  const missing = async (cache: ToolCache, options = {}): Promise<string[]> =>
    (await cache.findMissing(tools, options)).map(({ name }) => name);

  async function filledCache(directory: string): Promise<ToolCache> {
    const cache = new ToolCache(directory);
    const work = await cache.makeWorkDirectory();
    for (const tool of tools) {
      const file = join(work, tool.name);
      await writeFile(file, fakeProgram());
      await cache.install({ tool, file, source: "go" });
    }
    return cache;
  }

  it("is empty at first and complete after installation, with executable files", async () => {
    const directory = await temporaryDirectory();
    expect(await missing(new ToolCache(directory))).toEqual(["one", "two"]);
    const cache = await filledCache(directory);
    expect(await missing(cache, { verify: true })).toEqual([]);
    expect((await stat(cache.pathOf("one"))).mode & 0o777).toBe(0o755);
    expect(JSON.parse(await readFile(join(directory, "manifest.json"), "utf8"))).toMatchObject({
      tools: { one: { version: "v1.2.3", sha256: sha256(fakeProgram()), size: fakeProgram().length, source: "go" } },
    });
  });

  it("detects a truncated binary", async () => {
    const cache = await filledCache(await temporaryDirectory());
    await truncate(cache.pathOf("two"), 5);
    expect(await missing(cache)).toEqual(["two"]);
  });

  it("detects changed content of the same size only with verify", async () => {
    const cache = await filledCache(await temporaryDirectory());
    await writeFile(cache.pathOf("one"), fakeProgram().replace("echo", "ECHO"));
    expect(await missing(cache)).toEqual([]);
    expect(await missing(cache, { verify: true })).toEqual(["one"]);
  });

  it("rejects a binary that is not in the manifest, of another version, or of another platform", async () => {
    const directory = await temporaryDirectory();
    const cache = await filledCache(directory);
    expect(await missing(new ToolCache(directory, { os: "plan9", arch: "arm64" }))).toEqual(["one", "two"]);
    const newer = tools.map((tool) => ({ ...tool, version: "v2.0.0" }));
    expect(await cache.findMissing(newer)).toHaveLength(2);
    await writeFile(join(directory, "manifest.json"), "{ broken");
    expect(await missing(cache)).toEqual(["one", "two"]);
  });

  it("removes the work directories of crashed processes", async () => {
    const cache = new ToolCache(await temporaryDirectory());
    const earlier = await cache.makeWorkDirectory();
    const later = await cache.makeWorkDirectory();
    await expect(stat(earlier)).rejects.toThrow("ENOENT");
    expect((await stat(later)).isDirectory()).toBe(true);
  });
});
