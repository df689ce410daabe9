import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type EnsureToolsOptions, ensureTools, openToolCache } from "./ensure-tools.ts";
import type { Tool } from "./lock-file.ts";
import { type Progress, silentProgress } from "./progress.ts";
import type { Source, SourceRequest } from "./sources/source.ts";
import { aToolsLock, fakeProgram, fakeSource } from "./testing/fake-tool.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const lock = aToolsLock(["one", "two"]);
const both = { one: fakeProgram(), two: fakeProgram() };

async function aCache(): Promise<(sources: readonly Source[], more?: EnsureToolsOptions) => Promise<string[]>> {
  const environment = { BUTLER_ENGINE_DIR: await temporaryDirectory() };
  return async (sources, more = {}) =>
    Object.values(await ensureTools(["one", "two"], { environment, lock, sources, progress: silentProgress, ...more }));
}

function recordingProgress(): { events: string[]; progress: Progress } {
  const events: string[] = [];
  return {
    events,
    progress: {
      waiting: (what) => events.push(`waiting for ${what}`),
      noted: (text) => events.push(text),
      started: ({ tool, source }) => events.push(`started ${tool} ${source}`),
      advanced: () => undefined,
      finished: ({ tool, source }) => events.push(`finished ${tool} ${source}`),
      failed: ({ tool, source }, error) => events.push(`failed ${tool} ${source}: ${String(error)}`),
      closed: () => events.push("closed"),
    },
  };
}

describe("ensureTools", () => {
  it("fills the cache once, and then uses no source and prints nothing", async () => {
    const ensure = await aCache();
    const source = fakeSource("go", both);
    const { events, progress } = recordingProgress();
    const [path = ""] = await ensure([source], { progress });
    expect(await readFile(path, "utf8")).toBe(fakeProgram());
    expect(events).toEqual(["started one go", "finished one go", "started two go", "finished two go", "closed"]);
    await ensure([source], { progress, verify: true });
    expect(source.asked).toEqual([["one", "two"]]);
    expect(events).toHaveLength(5);
  });

  it("leaves only the binaries and their manifest in the cache", async () => {
    const ensure = await aCache();
    const [path = ""] = await ensure([fakeSource("go", both)]);
    expect((await readdir(dirname(dirname(path)))).toSorted()).toEqual(["bin", "manifest.json"]);
    expect((await readdir(dirname(path))).toSorted()).toEqual(["one", "two"]);
  });

  it("tries the next source for tools that a source could not provide", async () => {
    const ensure = await aCache();
    const [first, second] = [fakeSource("archive", { one: fakeProgram() }), fakeSource("go", both)];
    const { events, progress } = recordingProgress();
    await ensure([first, second], { progress });
    expect(second.asked).toEqual([["two"]]);
    expect(events).toContain("failed two archive: Error: archive has no two");
  });

  it("continues with the next source when one throws", async () => {
    const ensure = await aCache();
    const broken: Source = { name: "archive", bring: () => Promise.reject(new Error("out of order")) };
    const second = fakeSource("go", both);
    await ensure([broken, second]);
    expect(second.asked).toEqual([["one", "two"]]);
  });

  it("replaces corrupted and truncated binaries", async () => {
    const ensure = await aCache();
    const [one = "", two = ""] = await ensure([fakeSource("go", both)]);
    await writeFile(one, "half");
    await writeFile(two, fakeProgram().replace("echo", "ECHO"));
    const source = fakeSource("go", both);
    await ensure([source]);
    await ensure([source], { verify: true });
    expect(source.asked).toEqual([["one"], ["two"]]);
    expect(await readFile(one, "utf8")).toBe(fakeProgram());
    expect(await readFile(two, "utf8")).toBe(fakeProgram());
  });

  it("does not accept a damaged binary when no source could replace it", async () => {
    const ensure = await aCache();
    const [one = ""] = await ensure([fakeSource("go", both)]);
    await writeFile(one, fakeProgram().replace("echo", "ECHO"));
    await expect(ensure([fakeSource("go", {})], { verify: true })).rejects.toThrow("failed to install one:");
    await ensure([fakeSource("go", both)], { verify: true });
    expect(await readFile(one, "utf8")).toBe(fakeProgram());
  });

  it.each([
    ["another version", fakeProgram("v9.9.9"), 'expected one to be v1.2.3, but it printed "v9.9.9"'],
    ["something that does not run", "#!/no/such/interpreter\n", "one does not run on this machine"],
  ])("refuses %s", async (_what, program, message) => {
    const ensure = await aCache();
    await expect(ensure([fakeSource("go", { ...both, one: program })])).rejects.toThrow(message);
  });

  it("reports for each tool why each source failed", async () => {
    const ensure = await aCache();
    const failing = ensure([fakeSource("archive", { one: fakeProgram() }), fakeSource("go", {})]);
    await expect(failing).rejects.toThrow(
      "failed to install two:\n- two from archive: archive has no two\n- two from go: go has no two",
    );
  });

  it("does the work once for two concurrent calls, and reports the owner of the lock to the second", async () => {
    const ensure = await aCache();
    const { events, progress } = recordingProgress();
    const isWaiting = Promise.withResolvers<void>();
    const waiting: Progress = {
      ...progress,
      waiting: (what) => {
        progress.waiting(what);
        isWaiting.resolve();
      },
    };
    const isWorking = Promise.withResolvers<void>();
    const source = fakeSource("go", both, async () => {
      isWorking.resolve();
      await isWaiting.promise;
    });
    const first = ensure([source]);
    await isWorking.promise;
    const second = ensure([source], { progress: waiting });
    expect(await second).toEqual(await first);
    expect(source.asked).toEqual([["one", "two"]]);
    expect(events).toEqual([
      expect.stringMatching(`waiting for process ${process.pid} on .* to install one, two`) as unknown,
      "closed",
    ]);
  });

  it("calls onReady once for each tool as soon as it is usable, from any source", async () => {
    const ensure = await aCache();
    const told: string[] = [];
    const onReady = (name: string, path: string): void => void told.push(`${name} ${basename(path)}`);
    const source = fakeSource("go", both, () => {
      told.push("begun");
      return Promise.resolve();
    });
    await ensure([fakeSource("archive", { two: fakeProgram() }), source], { onReady });
    expect(told).toEqual(["two two", "begun", "one one"]);
    await ensure([source], { onReady });
    expect(told.slice(3)).toEqual(["one one", "two two"]);
  });

  it("calls onReady for a tool that another process has installed while that process still runs", async () => {
    const ensure = await aCache();
    const isSecondReady = Promise.withResolvers<void>();
    const isOneThere = Promise.withResolvers<void>();
    const slow: Source = {
      name: "go",
      bring: async (request) => {
        await fakeSource("go", { one: fakeProgram() }).bring({ ...request, fail: () => undefined });
        isOneThere.resolve();
        await isSecondReady.promise;
        await fakeSource("go", { two: fakeProgram() }).bring({ ...request, fail: () => undefined });
      },
    };
    const first = ensure([slow]);
    await isOneThere.promise;
    const told: string[] = [];
    const second = ensure([slow], {
      onReady: (name) => {
        told.push(name);
        isSecondReady.resolve();
      },
    });
    await Promise.all([first, second]);
    expect(told).toEqual(["one", "two"]);
  });

  it("skips a source that never provides a tool, and reports the reason if no other source does", async () => {
    const ensure = await aCache();
    const { events, progress } = recordingProgress();
    const picky = fakeSource("archive", { two: fakeProgram() });
    picky.refuses = ({ name }) => (name === "one" ? "one is not published" : undefined);
    await expect(ensure([picky], { progress })).rejects.toThrow(
      "failed to install one:\n- one from archive: one is not published",
    );
    expect(picky.asked).toEqual([["two"]]);
    expect(events).toEqual(["started two archive", "finished two archive", "closed"]);
  });

  it("passes on notes from a source", async () => {
    const ensure = await aCache();
    const { events, progress } = recordingProgress();
    const installing = (request: SourceRequest): Promise<void> => Promise.resolve(request.note("installing something"));
    await ensure([fakeSource("go", both, installing)], { progress });
    expect(events[0]).toBe("installing something");
  });

  it("keeps both of two tools that are delivered concurrently", async () => {
    const ensure = await aCache();
    const hasty: Source = {
      name: "go",
      bring: async (request) => {
        const bringOne = (tool: Tool): Promise<void> => fakeSource("go", both).bring({ ...request, tools: [tool] });
        await Promise.all(request.tools.map(bringOne));
      },
    };
    await ensure([hasty]);
    await ensure([], { verify: true });
  });

  it("stops when it is aborted, and releases the cache", async () => {
    const ensure = await aCache();
    const controller = new AbortController();
    const abort = (): Promise<void> => {
      controller.abort(new Error("enough"));
      return Promise.reject(new Error("interrupted"));
    };
    await expect(ensure([fakeSource("go", both, abort)], { signal: controller.signal })).rejects.toThrow("enough");
    await ensure([fakeSource("go", both)]);
  });

  it("rejects an unknown source before doing anything", async () => {
    const environment = { BUTLER_ENGINE_DIR: await temporaryDirectory(), BUTLER_ENGINE_SOURCES: "brew" };
    await expect(ensureTools(["one"], { environment, lock })).rejects.toThrow("BUTLER_ENGINE_SOURCES");
  });
});

describe("openToolCache", () => {
  it("uses the configured directory, with one subdirectory per digest", async () => {
    const { binDirectory } = await openToolCache({ BUTLER_ENGINE_DIR: "/opt/engine" });
    expect(binDirectory).toMatch(new RegExp(`^${join("/opt/engine", "[0-9a-f]{16}", "bin")}$`));
  });
});
