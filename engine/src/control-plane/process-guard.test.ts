import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { identifyProcess, isProcessAlive, type ProcessIdentity } from "../process-identity.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { ProcessGuard } from "./process-guard.ts";

async function aGuard() {
  const directory = await temporaryDirectory();
  const guard = new ProcessGuard({ label: directory, logFile: join(directory, "reaper.log"), removeAtEnd: undefined });
  onTestFinished(() => guard.close());
  const run = (script: string) =>
    guard.run({
      command: "/bin/sh",
      arguments: ["-c", script],
      environment: { GREETING: "hello" },
      directory,
      logFile: join(directory, "log"),
    });
  return { guard, run, log: () => readFile(join(directory, "log"), "utf8") };
}

/** The process and the child that it reports in its log. */
async function familyOf(pid: number, log: () => Promise<string>): Promise<ProcessIdentity[]> {
  await expect.poll(log).toMatch(/child \d+\n/);
  const [, child] = /child (\d+)\n/.exec(await log()) ?? [];
  return [identifyProcess(pid), identifyProcess(Number(child))];
}

const aliveOf = (family: readonly ProcessIdentity[]): (boolean | undefined)[] => family.map(isProcessAlive);
const parentOfOne = "sleep 600 & echo child $!; wait";

describe("ProcessGuard", () => {
  it("runs a process with the given environment and reports its exit", async () => {
    const { run, log } = await aGuard();
    const ended = await run("echo $GREETING; exit 3");
    expect(await ended.exited).toEqual({ code: 3, signal: null });
    expect(await log()).toBe("hello\n");
    ended.signal("SIGTERM");
  });

  it("signals a process together with its descendants", async () => {
    const { run, log } = await aGuard();
    const running = await run(parentOfOne);
    const family = await familyOf(running.pid, log);
    running.signal("SIGTERM");
    expect(await running.exited).toEqual({ code: null, signal: "SIGTERM" });
    await expect.poll(() => aliveOf(family)).toEqual([false, false]);
  });

  it("kills everything when it is closed", async () => {
    const { guard, run, log } = await aGuard();
    const running = await run(parentOfOne);
    const family = await familyOf(running.pid, log);
    await guard.close();
    expect(await running.exited).toMatchObject({ signal: "SIGKILL" });
    await expect.poll(() => aliveOf(family)).toEqual([false, false]);
  });

  it("kills everything when its reaper is killed", async () => {
    const { run, log } = await aGuard();
    const running = await run(`echo reaper $PPID; ${parentOfOne}`);
    const family = await familyOf(running.pid, log);
    const [, reaper] = /reaper (\d+)\n/.exec(await log()) ?? [];
    process.kill(Number(reaper), "SIGKILL");
    await running.exited;
    await expect.poll(() => aliveOf(family)).toEqual([false, false]);
    await expect(run("true")).rejects.toThrow("has exited");
  });

  it("fails a command that does not exist", async () => {
    const { guard } = await aGuard();
    const order = { command: "/no/such", arguments: [], environment: {}, directory: "/", logFile: "/dev/null" };
    await expect(guard.run(order)).rejects.toThrow("ENOENT");
  });
});
