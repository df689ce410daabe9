import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { readElfFile } from "./elf-file.ts";
import { buildPauseProgram } from "./pause-program.ts";

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
