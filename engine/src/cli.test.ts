import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { expectedOutputOf, goPlatform, releaseLocation, selectTools, toolNames, toolsLock } from "./lock-file.ts";
import { fakeProgram } from "./testing/fake-tool.ts";
import { type ReleaseMirror, sha256, startReleaseMirror } from "./testing/release-mirror.ts";
import { buildTar } from "./testing/tar-archive.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

interface Run {
  readonly process: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly code: Promise<number | null>;
}

function runCli(words: readonly string[], environment: NodeJS.ProcessEnv): Run {
  const env = { PATH: process.env["PATH"], ...environment };
  const child = spawn(process.execPath, [join(import.meta.dirname, "cli.ts"), ...words], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return { process: child, output, code: once(child, "close").then(([code]) => code as number | null) };
}

/** Publishes stand-ins for every published tool under the names of the real releases. */
function publishAll(mirror: ReleaseMirror): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { BUTLER_ENGINE_SOURCES: "archive" };
  for (const { project } of publishedTools)
    if (project.release) environment[project.release.mirrorVariable] = mirror.url;
  const located = publishedTools.flatMap((tool) => {
    const location = releaseLocation(tool, goPlatform(), environment);
    return location === undefined ? [] : [{ tool, ...location }];
  });
  for (const [url, group] of Map.groupBy(located, (each) => each.url)) {
    const programs = group.map(({ tool, member = "" }) => ({
      name: member,
      content: fakeProgram(expectedOutputOf(tool).join(" ")),
    }));
    const content = programs[0]?.name === "" ? programs[0].content : gzipSync(buildTar(programs));
    mirror.put(new URL(url).pathname, content);
    const { checksumUrl = "", fileName = "" } = group[0] ?? {};
    mirror.put(new URL(checksumUrl).pathname, `${sha256(content)}  ${fileName}\n`);
  }
  return environment;
}

const publishedTools = selectTools(toolsLock, toolNames).filter(({ project }) => project.release !== undefined);
const publishedNames = publishedTools.map(({ name }) => name);

describe("cli", () => {
  it("does the work once for two processes; the second waits and names the first", async () => {
    const secondWaits = Promise.withResolvers<void>();
    const firstWorks = Promise.withResolvers<void>();
    const mirror = await startReleaseMirror(async () => {
      firstWorks.resolve();
      await secondWaits.promise;
      return false;
    });
    const environment = { ...publishAll(mirror), BUTLER_ENGINE_DIR: await temporaryDirectory() };
    const first = runCli(["ensure", ...publishedNames], environment);
    await firstWorks.promise;
    const second = runCli(["ensure", ...publishedNames], environment);
    await expect.poll(() => second.output.stderr, { timeout: 10_000 }).toContain("waiting for");
    secondWaits.resolve();
    expect([await first.code, await second.code]).toEqual([0, 0]);
    expect(second.output.stderr).toContain(`engine: waiting for process ${first.process.pid} on`);
    expect(second.output.stdout).toBe(first.output.stdout);
    expect(first.output.stderr).toContain("engine: helm v4.3.1 is ready (19 of 19");
    expect(new Set(mirror.requests).size).toBe(mirror.requests.length);
    // Eleven downloads of one program, and two archives that hold three and five; a sum for each.
    expect(mirror.requests).toHaveLength(2 * (11 + 2));
  }, 30_000);

  it("takes over from a process that was killed during the work", async () => {
    const firstWorks = Promise.withResolvers<void>();
    const isFirstKilled = Promise.withResolvers<void>();
    const mirror = await startReleaseMirror(async () => {
      firstWorks.resolve();
      await isFirstKilled.promise;
      return false;
    });
    const environment = { ...publishAll(mirror), BUTLER_ENGINE_DIR: await temporaryDirectory() };
    const first = runCli(["ensure", "kubectl"], environment);
    await firstWorks.promise;
    first.process.kill("SIGKILL");
    await first.code;
    isFirstKilled.resolve();
    const second = runCli(["ensure", "kubectl"], environment);
    expect(await second.code).toBe(0);
    expect(second.output.stderr).not.toContain("waiting for");
  }, 30_000);

  it("prints the binary directory without installing anything", async () => {
    const directory = await temporaryDirectory();
    const run = runCli(["where"], { BUTLER_ENGINE_DIR: directory });
    expect(await run.code).toBe(0);
    expect(run.output.stdout).toMatch(new RegExp(`^${directory}/[0-9a-f]{16}/bin\n$`));
  });

  it.each([[[]], [["bring"]], [["ensure", "--fast"]]])("refuses %o", async (words) => {
    const run = runCli(words, {});
    expect(await run.code).toBe(1);
    expect(run.output.stderr).toBe("engine: usage: ensure [--verify] [tool...] | where\n");
  });

  it("explains why nothing was installed", async () => {
    const run = runCli(["ensure", "kubectl"], {
      BUTLER_ENGINE_DIR: await temporaryDirectory(),
      BUTLER_ENGINE_SOURCES: "archive",
      BUTLER_MIRROR_KUBERNETES: "http://127.0.0.1:9",
    });
    expect(await run.code).toBe(1);
    expect(run.output.stderr).toContain("failed to install kubectl:\n- kubectl from archive: cannot reach 127.0.0.1:9");
  });

  it("reports that only Go can build a tool without published binaries", async () => {
    const environment = { BUTLER_ENGINE_DIR: await temporaryDirectory(), BUTLER_ENGINE_SOURCES: "archive" };
    const run = runCli(["ensure", "capi-core", "kwok"], environment);
    expect(await run.code).toBe(1);
    expect(run.output.stderr).toContain("- capi-core, kwok from archive: the project publishes no binary");
  });
});
