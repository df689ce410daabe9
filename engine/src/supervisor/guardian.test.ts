import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, type ExpectStatic, it, type TestContext } from "vitest";
import { isRunning } from "./service-process.ts";
import { connectSupervisor, startSupervisor, stopSupervisor } from "./start-supervisor.ts";
import { readGuardian, statePaths } from "./state-directory.ts";
import type { SupervisorClient } from "./supervisor-client.ts";
import { exitCodeOf, pidOf, statusOf, SupervisedDirectory } from "./testing/supervised-directory.ts";

const timeoutMs = 30_000;
const sleeper = "exec sleep 600";
const poll = { timeout: 10_000 };

interface Guarded {
  readonly directory: SupervisedDirectory;
  readonly client: SupervisorClient;
  readonly daemon: number;
  readonly guardian: number;
}

/** A supervisor with one ready service and a guardian at work. */
async function startGuarded(test: TestContext): Promise<Guarded> {
  const directory = await SupervisedDirectory.create(test);
  const client = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
  await client.waitReady({ timeoutMs });
  const { daemon } = await client.status();
  return { directory, client, daemon: daemon.pid, guardian: await untilGuarded(test.expect, directory) };
}

async function untilGuarded(expect: ExpectStatic, directory: SupervisedDirectory, except?: number): Promise<number> {
  await expect.poll(() => isGuarded(directory, except), poll).toBe(true);
  return readGuardian(statePaths(directory.path))?.pid ?? 0;
}

function isGuarded({ path }: SupervisedDirectory, except?: number): boolean {
  const guardian = readGuardian(statePaths(path));
  return guardian !== undefined && guardian.pid !== except && isRunning(guardian);
}

/** All processes of a directory. */
function allOf(directory: SupervisedDirectory): number[] {
  return [...directory.daemons(), ...directory.guardians(), ...directory.processes()];
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

// At the same time, because most of their time is spent on waiting for guardians, and for nothing to happen.
describe.concurrent("a guardian", () => {
  it("repeatedly restarts a supervisor that was killed, which adopts the services", async (test) => {
    const { expect } = test;
    const { directory, client, daemon, guardian } = await startGuarded(test);
    const pid = await pidOf(client, "a");
    const seen = new Set([daemon]);
    for (const round of [1, 2, 3]) {
      process.kill((await client.status()).daemon.pid, "SIGKILL");
      await expect.poll(async () => seen.has((await client.status()).daemon.pid), poll).toBe(false);
      await directory.untilService(client, "a", { state: "Ready", isAdopted: true, restarts: 0, process: { pid } });
      seen.add((await client.status()).daemon.pid);
      expect(seen.size).toBe(round + 1);
    }
    expect([directory.guardians(), directory.processes()]).toEqual([[guardian], [pid]]);
    expect(directory.daemons()).toHaveLength(1);
  });

  it("is waited for by clients that connect while the supervisor restarts", async (test) => {
    const { expect } = test;
    const { directory, daemon } = await startGuarded(test);
    process.kill(daemon, "SIGKILL");
    await expect.poll(() => directory.daemons(), { ...poll, interval: 5 }).not.toContain(daemon);
    const found = await connectSupervisor(directory.path);
    expect((await found?.status())?.daemon.pid).not.toBe(daemon);
    await found?.stop({ timeoutMs });
    expect(allOf(directory)).toEqual([]);
  });

  it("is replaced by the supervisor when it was killed, and never runs twice", async (test) => {
    const { expect } = test;
    const { directory, client, daemon, guardian } = await startGuarded(test);
    process.kill(guardian, "SIGKILL");
    const next = await untilGuarded(expect, directory, guardian);
    expect((await client.status()).daemon.pid).toBe(daemon);
    process.kill(daemon, "SIGKILL");
    await expect.poll(async () => (await client.status()).daemon.pid, poll).not.toBe(daemon);
    await pause(1_500);
    expect(directory.guardians()).toEqual([next]);
  });

  it("is restarted with the supervisor at the next start when both were killed at once", async (test) => {
    const { expect } = test;
    const { directory, client } = await startGuarded(test);
    const pid = await pidOf(client, "a");
    await directory.killSupervisor();
    await pause(1_500);
    expect(allOf(directory)).toEqual([pid]);
    expect(await connectSupervisor(directory.path)).toBeUndefined();
    const next = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await next.waitReady({ timeoutMs });
    expect(await statusOf(next, "a")).toMatchObject({ isAdopted: true, process: { pid } });
    await untilGuarded(expect, directory);
  });

  it.for<readonly [string, (guarded: Guarded) => Promise<unknown>]>([
    ["the client", ({ client }) => client.stop({ timeoutMs })],
    ["stopSupervisor", ({ directory }) => stopSupervisor(directory.path, { timeoutMs })],
    ["a signal", ({ daemon }) => Promise.resolve(void process.kill(daemon, "SIGTERM"))],
    [
      "stopSupervisor after a kill",
      async ({ directory, daemon }) => {
        process.kill(daemon, "SIGKILL");
        await stopSupervisor(directory.path, { timeoutMs });
      },
    ],
    [
      "stopSupervisor after a kill of both",
      async ({ directory }) => {
        await directory.killSupervisor();
        await stopSupervisor(directory.path, { timeoutMs });
      },
    ],
  ])("is stopped with all services by %s, and nothing restarts", async ([, stop], test) => {
    const { expect } = test;
    const guarded = await startGuarded(test);
    const { directory } = guarded;
    await stop(guarded);
    await expect.poll(() => allOf(directory), poll).toEqual([]);
    expect(await readdir(join(directory.path, "locks"))).toEqual([]);
    expect(existsSync(join(directory.path, "guardian.json"))).toBe(false);
    await pause(2_000);
    expect(allOf(directory)).toEqual([]);
  });

  it("does not resume stopped services until a start is requested", async (test) => {
    const { expect } = test;
    const { directory, client } = await startGuarded(test);
    await client.stop({ timeoutMs });
    expect(await exitCodeOf(directory.daemon("--resume"))).toBe(0);
    expect(allOf(directory)).toEqual([]);
    await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await untilGuarded(expect, directory);
    expect(existsSync(join(directory.path, "stopping"))).toBe(false);
  });

  it("does not restart a supervisor that was killed during shutdown", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const stubborn = directory.shell("stubborn", "trap '' TERM; while :; do sleep 0.1; done", { stopGraceMs: 60_000 });
    const client = await startSupervisor(directory.path, [stubborn]);
    await client.waitReady({ timeoutMs });
    await untilGuarded(expect, directory);
    const { daemon } = await client.status();
    process.kill(daemon.pid, "SIGTERM");
    await expect.poll(() => client.status(), poll).toMatchObject({ isEnding: true });
    process.kill(daemon.pid, "SIGKILL");
    await pause(2_500);
    expect([...directory.daemons(), ...directory.guardians()]).toEqual([]);
  });

  it("exits when its directory was removed, and does not recreate it", async (test) => {
    const { expect } = test;
    const { directory } = await startGuarded(test);
    await rm(directory.path, { recursive: true, maxRetries: 5 });
    await expect.poll(() => allOf(directory), poll).toEqual([]);
    await pause(1_500);
    expect(allOf(directory)).toEqual([]);
    expect(existsSync(directory.path)).toBe(false);
    expect(await exitCodeOf(directory.daemon("--resume"))).toBe(1);
    expect(existsSync(directory.path)).toBe(false);
  });

  it("that cannot be started is reported, and the supervisor continues", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    mkdirSync(join(directory.path, "guardian.json"));
    writeFileSync(join(directory.path, "guardian.json", "in-the-way"), "");
    const client = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await client.waitReady({ timeoutMs });
    const log = (): string => readFileSync(join(directory.path, "supervisor.log"), "utf8");
    await expect
      .poll(log, poll)
      .toMatch(/guardian: .*guardian.json[^]*cannot start a guardian.*: the guardian exited with code 1/);
    await rm(join(directory.path, "guardian.json"), { recursive: true });
    await untilGuarded(expect, directory);
  });
});
