import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRunning } from "./service-process.ts";
import { connectSupervisor, startSupervisor, stopSupervisor } from "./start-supervisor.ts";
import { readGuardian, statePaths } from "./state-directory.ts";
import type { SupervisorClient } from "./supervisor-client.ts";
import { exitCodeOf, pidOf, statusOf, SupervisedDirectory, untilService } from "./testing/supervised-directory.ts";

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
async function startGuarded(): Promise<Guarded> {
  const directory = await SupervisedDirectory.create();
  const client = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
  await client.waitReady({ timeoutMs });
  const { daemon } = await client.status();
  return { directory, client, daemon: daemon.pid, guardian: await untilGuarded(directory) };
}

async function untilGuarded(directory: SupervisedDirectory, except?: number): Promise<number> {
  await expect.poll(() => isGuarded(directory, except), poll).toBe(true);
  return readGuardian(statePaths(directory.path))?.pid ?? 0;
}

function isGuarded({ path }: SupervisedDirectory, except?: number): boolean {
  const guardian = readGuardian(statePaths(path));
  return guardian !== undefined && guardian.pid !== except && isRunning(guardian);
}

/** Everything that runs for a directory. */
function allOf(directory: SupervisedDirectory): number[] {
  return [...directory.daemons(), ...directory.guardians(), ...directory.processes()];
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

describe("a guardian", () => {
  it("brings back a supervisor that was killed, which takes over the services; again and again", async () => {
    const { directory, client, daemon, guardian } = await startGuarded();
    const pid = await pidOf(client, "a");
    const seen = new Set([daemon]);
    for (const round of [1, 2, 3]) {
      process.kill((await client.status()).daemon.pid, "SIGKILL");
      await expect.poll(async () => seen.has((await client.status()).daemon.pid), poll).toBe(false);
      await untilService(client, "a", { state: "Ready", isAdopted: true, restarts: 0, process: { pid } });
      seen.add((await client.status()).daemon.pid);
      expect(seen.size).toBe(round + 1);
    }
    expect([directory.guardians(), directory.processes()]).toEqual([[guardian], [pid]]);
    expect(directory.daemons()).toHaveLength(1);
  });

  it("is waited for by those who look for the supervisor just then", async () => {
    const { directory, daemon } = await startGuarded();
    process.kill(daemon, "SIGKILL");
    await expect.poll(() => directory.daemons(), { ...poll, interval: 5 }).not.toContain(daemon);
    const found = await connectSupervisor(directory.path);
    expect((await found?.status())?.daemon.pid).not.toBe(daemon);
    await found?.stop({ timeoutMs });
    expect(allOf(directory)).toEqual([]);
  });

  it("is replaced by the supervisor when it was killed, and there is never a second", async () => {
    const { directory, client, daemon, guardian } = await startGuarded();
    process.kill(guardian, "SIGKILL");
    const next = await untilGuarded(directory, guardian);
    expect((await client.status()).daemon.pid).toBe(daemon);
    process.kill(daemon, "SIGKILL");
    await expect.poll(async () => (await client.status()).daemon.pid, poll).not.toBe(daemon);
    await pause(1_500);
    expect(directory.guardians()).toEqual([next]);
  });

  it("comes back with the supervisor at the next start when both were killed at once", async () => {
    const { directory, client } = await startGuarded();
    const pid = await pidOf(client, "a");
    await directory.killSupervisor();
    await pause(1_500);
    expect(allOf(directory)).toEqual([pid]);
    expect(await connectSupervisor(directory.path)).toBeUndefined();
    const next = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await next.waitReady({ timeoutMs });
    expect(await statusOf(next, "a")).toMatchObject({ isAdopted: true, process: { pid } });
    await untilGuarded(directory);
  });

  it.each([
    ["the client", ({ client }: Guarded) => client.stop({ timeoutMs })],
    ["stopSupervisor", ({ directory }: Guarded) => stopSupervisor(directory.path, { timeoutMs })],
    ["a signal", ({ daemon }: Guarded) => Promise.resolve(void process.kill(daemon, "SIGTERM"))],
    [
      "stopSupervisor after a kill",
      async ({ directory, daemon }: Guarded) => {
        process.kill(daemon, "SIGKILL");
        await stopSupervisor(directory.path, { timeoutMs });
      },
    ],
    [
      "stopSupervisor after a kill of both",
      async ({ directory }: Guarded) => {
        await directory.killSupervisor();
        await stopSupervisor(directory.path, { timeoutMs });
      },
    ],
  ])("ends with everything else that is stopped by %s, and nothing comes back", async (_case, stop) => {
    const guarded = await startGuarded();
    const { directory } = guarded;
    await stop(guarded);
    await expect.poll(() => allOf(directory), poll).toEqual([]);
    expect(await readdir(join(directory.path, "locks"))).toEqual([]);
    expect(existsSync(join(directory.path, "guardian.json"))).toBe(false);
    await pause(2_000);
    expect(allOf(directory)).toEqual([]);
  });

  it("resumes nothing that was told to stop, until a start is asked for", async () => {
    const { directory, client } = await startGuarded();
    await client.stop({ timeoutMs });
    expect(await exitCodeOf(directory.daemon("--resume"))).toBe(0);
    expect(allOf(directory)).toEqual([]);
    await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await untilGuarded(directory);
    expect(existsSync(join(directory.path, "stopping"))).toBe(false);
  });

  it("does not follow a supervisor that was killed while it stopped everything", async () => {
    const directory = await SupervisedDirectory.create();
    const stubborn = directory.shell("stubborn", "trap '' TERM; while :; do sleep 0.1; done", { stopGraceMs: 60_000 });
    const client = await startSupervisor(directory.path, [stubborn]);
    await client.waitReady({ timeoutMs });
    await untilGuarded(directory);
    const { daemon } = await client.status();
    process.kill(daemon.pid, "SIGTERM");
    await expect.poll(() => client.status(), poll).toMatchObject({ isEnding: true });
    process.kill(daemon.pid, "SIGKILL");
    await pause(2_500);
    expect([...directory.daemons(), ...directory.guardians()]).toEqual([]);
  });

  it("ends by itself when its directory was removed, as all else does, and does not bring it back", async () => {
    const { directory } = await startGuarded();
    await rm(directory.path, { recursive: true, maxRetries: 5 });
    await expect.poll(() => allOf(directory), poll).toEqual([]);
    await pause(1_500);
    expect(allOf(directory)).toEqual([]);
    expect(existsSync(directory.path)).toBe(false);
    expect(await exitCodeOf(directory.daemon("--resume"))).toBe(1);
    expect(existsSync(directory.path)).toBe(false);
  });

  it("that cannot be started is reported, and the supervisor goes on", async () => {
    const directory = await SupervisedDirectory.create();
    mkdirSync(join(directory.path, "guardian.json"));
    writeFileSync(join(directory.path, "guardian.json", "in-the-way"), "");
    const client = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await client.waitReady({ timeoutMs });
    const log = (): string => readFileSync(join(directory.path, "supervisor.log"), "utf8");
    await expect
      .poll(log, poll)
      .toMatch(/guardian: .*guardian.json[^]*no guardian can be started.*: it ended with code 1/);
    await rm(join(directory.path, "guardian.json"), { recursive: true });
    await untilGuarded(directory);
  });
});
