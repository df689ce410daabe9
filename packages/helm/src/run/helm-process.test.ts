import { mkdtemp, rm } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { Unavailable } from "@butler/std";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HelmExit, type HelmProcess, runHelmProcess } from "./helm-process.ts";
import { runHelmApart } from "./run-apart.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-helm-process-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a script in place of helm. */
function scriptRunner(runProcess: typeof runHelmProcess) {
  return (script: string, further: Partial<HelmProcess> = {}): Promise<HelmExit> =>
    runProcess({
      program: process.execPath,
      args: ["--eval", script],
      environment: {},
      folder,
      signal: undefined,
      limitMs: 60_000,
      graceMs: 60_000,
      isOutputKept: false,
      onStart: () => undefined,
      onLine: () => undefined,
      ...further,
    });
}

const ways = { runHelmProcess: runHelmProcess, runHelmApart: runHelmApart };

const forever = "setInterval(() => {}, 1000); console.error('ready');";
const deaf = `process.on("SIGTERM", () => console.error("no")); ${forever}`;

// At the same time, because one of them waits for seconds and the others for the start of a program.
describe.concurrent.each(Object.entries(ways))("%s", (_name, runProcess) => {
  const run = scriptRunner(runProcess);

  it("passes lines on as they arrive, and returns the output", async () => {
    const lines: string[] = [];
    const script = "console.error('one'); console.error('two'); console.log('out'); process.exitCode = 3";
    const exit = await run(script, { isOutputKept: true, onLine: (line) => lines.push(line) });
    expect(exit).toEqual({ code: 3, signal: null, endedBecause: undefined, output: "out\n", isOutputCut: false });
    expect(lines).toEqual(["one", "two"]);
  });

  it("discards standard output unless it is requested", async () => {
    expect((await run("console.log('password')")).output).toBe("");
  });

  it("sends SIGTERM when canceled, and leaves time to record the result", async () => {
    const stopping = new AbortController();
    const script = `process.on("SIGTERM", () => setTimeout(() => { console.error("written"); process.exit(1); }, 100)); ${forever}`;
    const lines: string[] = [];
    const onLine = (line: string): void => {
      lines.push(line);
      if (line === "ready") stopping.abort();
    };
    expect(await run(script, { signal: stopping.signal, onLine })).toMatchObject({
      code: 1,
      endedBecause: "cancelled",
    });
    expect(lines).toEqual(["ready", "written"]);
  });

  it("kills a program that ignores SIGTERM", async () => {
    const stopping = new AbortController();
    const onLine = (line: string): void => (line === "ready" ? stopping.abort() : undefined);
    const exit = await run(deaf, { signal: stopping.signal, graceMs: 100, onLine });
    expect(exit).toMatchObject({ code: null, signal: "SIGKILL", endedBecause: "cancelled" });
  });

  it("stops a program that exceeds its limit", async () => {
    expect(await run(forever, { limitMs: 100 })).toMatchObject({ signal: "SIGTERM", endedBecause: "too late" });
  });

  it("stops at once when canceled before the start", async () => {
    expect(await run(forever, { signal: AbortSignal.abort() })).toMatchObject({ endedBecause: "cancelled" });
  });

  it("does not wait for a grandchild that holds the pipes", async () => {
    const script = `const held = require("node:child_process").spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { stdio: "inherit" }); held.unref(); console.log(held.pid); process.exit(0)`;
    const { code, output } = await run(script, { isOutputKept: true });
    expect(code).toBe(0);
    // Ending it succeeds only because it still lives: it was not waited for.
    expect(process.kill(Number(output), "SIGKILL")).toBe(true);
  });

  it("truncates excessive output, and reads it to its end", async () => {
    const script = `const line = "x".repeat(1023) + "\\n"; for (let i = 0; i < 40 * 1024; i++) { require("node:fs").writeSync(1, line); }`;
    const exit = await run(script, { isOutputKept: true });
    expect(exit).toMatchObject({ code: 0, isOutputCut: true });
    expect(exit.output.length).toBeLessThan(33 * 1024 * 1024);
  });

  it("limits the number of lines", async () => {
    let heard = 0;
    const script = `for (let i = 0; i < 30_000; i++) require("node:fs").writeSync(2, "line\\n");`;
    await run(script, { onLine: () => heard++ });
    expect(heard).toBe(10_001);
  });

  it("reports a missing program", async () => {
    await expect(run("", { program: "/nowhere/helm" })).rejects.toThrow(Unavailable);
  });
});

describe("runHelmApart", () => {
  const run = scriptRunner(runHelmApart);

  it.runIf(process.platform === "linux")("lowers the priority of every thread", async () => {
    const own = getPriority();
    const script = `
      const { readdirSync, readFileSync } = require("node:fs");
      const niceOf = (thread) => readFileSync("/proc/self/task/" + thread + "/stat", "utf8").split(") ")[1].split(" ")[16];
      console.log(JSON.stringify(readdirSync("/proc/self/task").map(niceOf)));`;
    const { output } = await run(script, { isOutputKept: true });
    const priorities = JSON.parse(output) as string[];
    expect(priorities.length).toBeGreaterThan(1);
    expect(new Set(priorities)).toEqual(new Set(["19"]));
    expect(getPriority()).toBe(own);
  });

  it("keeps concurrent runs apart", async () => {
    const heard = new Map<number, string[]>();
    const runs = [1, 2, 3, 4].map(async (number) => {
      const lines: string[] = [];
      heard.set(number, lines);
      const pids: number[] = [];
      const script = `console.error("from ${number}"); console.log(process.pid); process.exitCode = ${number}`;
      const onStart = (pid: number): number => pids.push(pid);
      const { code, output } = await run(script, { isOutputKept: true, onStart, onLine: (line) => lines.push(line) });
      expect(pids).toEqual([Number(output)]);
      return code;
    });
    expect(await Promise.all(runs)).toEqual([1, 2, 3, 4]);
    expect([...heard.values()]).toEqual([1, 2, 3, 4].map((number) => [`from ${number}`]));
  });
});
