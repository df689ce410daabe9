import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { readElfFile } from "./elf-file.ts";
import { buildLimitProgram, buildPauseProgram } from "./small-programs.ts";

const hasCompiler = succeeds("gcc", "--version");
const mayMakeNamespaces = succeeds("/usr/bin/unshare", "--pid", "--fork", "true");

function succeeds(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function aPauseProgram(): Promise<string> {
  const output = join(await temporaryDirectory(), "bin/pause");
  await buildPauseProgram({ output });
  return output;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(10);
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim();
  return children === "" ? [] : children.split(" ").map(Number);
}

/** Whether a process is pause, and has started waiting. */
async function isPausing(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return /^Name:\tpause\n(.*\n)*?State:\tS/.test(status);
}

describe.skipIf(!hasCompiler)("buildPauseProgram", () => {
  it("builds a static binary and leaves no other files", async () => {
    const program = await aPauseProgram();
    expect(await readElfFile(program)).toMatchObject({ interpreter: undefined, needed: [] });
    expect(await readdir(join(program, ".."))).toEqual(["pause"]);
  });

  it("produces identical bytes each time", async () => {
    expect((await readFile(await aPauseProgram())).equals(await readFile(await aPauseProgram()))).toBe(true);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("exits immediately with status 0 on %s", async (signal) => {
    const pause = spawn(await aPauseProgram());
    const ended = once(pause, "exit");
    await until(() => isPausing(pause.pid ?? 0));
    const start = performance.now();
    pause.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it.skipIf(!mayMakeNamespaces)("reaps orphans and exits on SIGTERM as process 1", async () => {
    const outside = spawn("/usr/bin/unshare", ["--pid", "--fork", "--kill-child", await aPauseProgram()]);
    const ended = once(outside, "exit");
    await until(async () => (await childrenOf(outside.pid ?? 0)).length === 1);
    const [pause = 0] = await childrenOf(outside.pid ?? 0);
    await until(() => isPausing(pause));
    // The shell ends before its child, which becomes pause's.
    execFileSync("/usr/bin/nsenter", ["--target", String(pause), "--pid", "sh", "-c", "sleep 1000 >/dev/null 2>&1 &"]);
    const [orphan = 0] = await childrenOf(pause);
    process.kill(orphan, "SIGKILL");
    await until(async () => (await childrenOf(pause)).length === 0);
    process.kill(pause, "SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});

describe("buildPauseProgram without a compiler", () => {
  it("reports what is missing and how to install it", async () => {
    const output = join(await temporaryDirectory(), "pause");
    await expect(buildPauseProgram({ output, compiler: "no-such-compiler" })).rejects.toMatchObject({
      message: "cannot compile pause: no-such-compiler not found",
      hint: expect.stringContaining("gcc libc6-dev") as string,
    });
    await expect(buildPauseProgram({ output, compiler: "false" })).rejects.toThrow("false failed to compile pause");
  });
});

describe.skipIf(!hasCompiler)("buildLimitProgram", () => {
  const bytes = 200 * 1024 * 1024;

  /** The result of a program under the limit. */
  async function limited(...args: string[]): Promise<{ status: number | null; output: string }> {
    const output = join(await temporaryDirectory(), "limit-memory");
    await buildLimitProgram({ output });
    expect(await readElfFile(output)).toMatchObject({ interpreter: undefined, needed: [] });
    const { status, stdout } = spawnSync(output, args, { encoding: "utf8" });
    return { status, output: stdout };
  }

  it("sets a limit that the program cannot raise", async () => {
    const script = "ulimit -H -d; ulimit -S -d; ulimit -H -d unlimited 2>&1 || echo refused";
    const asUser = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "sh", "-c", script];
    const { output } = await limited(`--data=${bytes}`, ...(process.getuid?.() === 0 ? asUser : asUser.slice(3)));
    expect(output.trim().split("\n").slice(0, 2)).toEqual([String(bytes / 1024), String(bytes / 1024)]);
    expect(output).toContain("refused");
  });

  it("passes on the arguments and the exit status", async () => {
    const { status, output } = await limited(`--data=${bytes}`, "sh", "-c", 'echo "$1"; exit 3', "sh", "a b");
    expect([status, output]).toEqual([3, "a b\n"]);
  });

  it.each<[string, readonly string[], number]>([
    ["a program that does not exist", [`--data=${bytes}`, "/nowhere/helm"], 127],
    ["no limit", ["sh", "-c", "true"], 126],
    ["a limit that is no number", ["--data=much", "true"], 126],
  ])("exits with an error for %s", async (_what, args, status) => {
    expect((await limited(...args)).status).toBe(status);
  });
});
