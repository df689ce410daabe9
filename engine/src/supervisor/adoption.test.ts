import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { identifyInBoot, isRunning } from "./service-process.ts";
import { connectSupervisor, startSupervisor, stopSupervisor } from "./start-supervisor.ts";
import { pidOf, statusOf, SupervisedDirectory } from "./testing/supervised-directory.ts";

const timeoutMs = 30_000;
const sleeper = "exec sleep 600";
const poll = { timeout: 20_000 };

describe("a new supervisor", () => {
  it("adopts the services of one that was killed, and restarts them when they die", async () => {
    const directory = await SupervisedDirectory.create();
    const specs = [directory.server("a"), directory.shell("b", sleeper, { dependsOn: ["a"] })];
    const first = await startSupervisor(directory.path, specs);
    await first.waitReady({ timeoutMs });
    const [a, b] = [await pidOf(first, "a"), await pidOf(first, "b")];
    await directory.killSupervisor();
    expect(new Set(directory.processes())).toEqual(new Set([a, b]));
    expect(await connectSupervisor(directory.path)).toBeUndefined();

    const next = await startSupervisor(directory.path, specs);
    await next.waitReady({ timeoutMs });
    expect(await statusOf(next, "a")).toMatchObject({ isAdopted: true, process: { pid: a }, restarts: 0 });
    expect(await statusOf(next, "b")).toMatchObject({ isAdopted: true, process: { pid: b } });
    process.kill(b, "SIGKILL");
    const restarted = await directory.untilService(next, "b", { state: "Ready", isAdopted: false, restarts: 1 });
    expect(restarted.lastExit).toMatchObject({ code: null, signal: null });
    await next.stop({ timeoutMs });
    expect(directory.eventLines()).toEqual(["start a", "listen a", "end a"]);
    expect([...directory.processes(), ...directory.daemons()]).toEqual([]);
  });

  it("replaces a service that was redefined while no supervisor ran", async () => {
    const directory = await SupervisedDirectory.create();
    const spec = directory.shell("a", sleeper);
    const first = await startSupervisor(directory.path, [spec, directory.shell("gone", sleeper)]);
    await first.waitReady({ timeoutMs });
    const pid = await pidOf(first, "a");
    await directory.killSupervisor();
    const next = await startSupervisor(directory.path, [{ ...spec, args: ["-c", "exec sleep 700"] }]);
    await directory.untilService(next, "a", { state: "Ready", isAdopted: false });
    expect(await pidOf(next, "a")).not.toBe(pid);
    await expect.poll(() => directory.processes(), poll).toEqual([await pidOf(next, "a")]);
  });

  it("finds the services even when the status is damaged, regardless of their command lines", async () => {
    const directory = await SupervisedDirectory.create();
    const changed = directory.shell("changed", sleeper);
    const [same, child] = [directory.server("same"), directory.shell("child", "setsid sleep 600 & exec sleep 700")];
    const first = await startSupervisor(directory.path, [same, child, changed, directory.shell("gone", sleeper)]);
    await first.waitReady({ timeoutMs });
    const kept = [await pidOf(first, "same"), await pidOf(first, "child")];
    const replaced = await pidOf(first, "changed");
    await expect.poll(() => directory.processes().length, poll).toBe(5);
    await directory.killSupervisor();
    writeFileSync(join(directory.path, "status.json"), "{ half a fi");
    const next = await startSupervisor(directory.path, [same, child, { ...changed, environment: {} }]);
    await next.waitReady({ timeoutMs });
    expect((await next.status()).problems.join()).toMatch(/cannot use .*status.json: not valid JSON/);
    expect([await pidOf(next, "same"), await pidOf(next, "child")]).toEqual(kept);
    await directory.untilService(next, "changed", { state: "Ready", isAdopted: false });
    expect(directory.processes()).not.toContain(replaced);
    await expect.poll(() => directory.processes().length, poll).toBe(4);
  });

  it("does not start a service twice if its start could not be recorded", async () => {
    const directory = await SupervisedDirectory.create();
    mkdirSync(join(directory.path, "status.json", "in-the-way"), { recursive: true });
    const specs = [directory.shell("a", sleeper)];
    const first = await startSupervisor(directory.path, specs);
    await first.waitReady({ timeoutMs });
    const pid = await pidOf(first, "a");
    await directory.killSupervisor();
    const next = await startSupervisor(directory.path, specs);
    await next.waitReady({ timeoutMs });
    expect(await pidOf(next, "a")).toBe(pid);
    expect(directory.processes()).toEqual([pid]);
  });

  it("ignores unknown processes until it is configured", async () => {
    const directory = await SupervisedDirectory.create();
    const specs = [directory.shell("a", sleeper)];
    const first = await startSupervisor(directory.path, specs);
    await first.waitReady({ timeoutMs });
    const pid = await pidOf(first, "a");
    await directory.killSupervisor();
    for (const name of ["services.json", "status.json"]) writeFileSync(join(directory.path, name), "?");
    directory.daemon();
    await expect.poll(() => connectSupervisor(directory.path), poll).toBeDefined();
    const { services, problems } = await first.status();
    expect([services, problems.length]).toEqual([[], 2]);
    const next = await startSupervisor(directory.path, specs);
    await next.waitReady({ timeoutMs });
    expect(await statusOf(next, "a")).toMatchObject({ isAdopted: true, process: { pid } });
  });

  it("keeps the services of the last run when the configuration is damaged", async () => {
    const directory = await SupervisedDirectory.create();
    const first = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await first.waitReady({ timeoutMs });
    const pid = await pidOf(first, "a");
    await directory.killSupervisor();
    writeFileSync(join(directory.path, "services.json"), "[]");
    directory.daemon();
    await expect.poll(() => connectSupervisor(directory.path), poll).toBeDefined();
    expect(await statusOf(first, "a")).toMatchObject({ isAdopted: true, process: { pid } });
    expect((await first.status()).problems.join()).toMatch(/cannot use .*services.json: .* are kept/);
    process.kill(pid, "SIGKILL");
    await directory.untilService(first, "a", { state: "Ready", restarts: 1 });
  });

  it.each([
    ["another boot", { bootId: "00000000-0000-0000-0000-000000000000" }],
    ["an earlier process with the same PID", { startTime: "1" }],
  ])("does not adopt a running process for a record of %s", async (_case, difference) => {
    const directory = await SupervisedDirectory.create();
    const stranger = spawn("sleep", ["600"], { detached: true });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    const spec = directory.shell("a", sleeper);
    const identity = identifyInBoot(stranger.pid ?? 0);
    if (identity === undefined) throw new Error("the stranger did not start");
    const services = [{ spec, process: { ...identity, ...difference }, restarts: 4 }];
    writeFileSync(join(directory.path, "status.json"), JSON.stringify({ daemon: identity, services }));
    const client = await startSupervisor(directory.path, [spec]);
    await client.waitReady({ timeoutMs });
    expect(await statusOf(client, "a")).toMatchObject({ isAdopted: false, restarts: 0 });
    await client.stop({ timeoutMs });
    expect(isRunning(identity)).toBe(true);
  });

  it("kills the remains of a service that died while no supervisor ran", async () => {
    const directory = await SupervisedDirectory.create();
    const specs = [directory.shell("parent", "sleep 600 & wait")];
    const first = await startSupervisor(directory.path, specs);
    await expect.poll(() => directory.processes().length, poll).toBe(2);
    const pid = await pidOf(first, "parent");
    const [orphan] = directory.processes().filter((other) => other !== pid);
    await directory.killSupervisor();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => directory.processes(), poll).toEqual([orphan]);
    const next = await startSupervisor(directory.path, specs);
    await next.waitReady({ timeoutMs });
    await expect.poll(() => directory.processes(), poll).not.toContain(orphan);
  });

  it("is started only to stop the services when everything is to stop", async () => {
    const directory = await SupervisedDirectory.create();
    const specs = [directory.server("a"), directory.server("b", { dependsOn: ["a"] })];
    const first = await startSupervisor(directory.path, specs);
    await first.waitReady({ timeoutMs });
    await directory.killSupervisor();
    await stopSupervisor(directory.path, { timeoutMs });
    expect(directory.eventLines().slice(-2)).toEqual(["end b", "end a"]);
    expect(directory.eventLines().filter((line) => line.startsWith("start"))).toHaveLength(2);
    expect([...directory.processes(), ...directory.daemons()]).toEqual([]);
    expect(JSON.parse(readFileSync(join(directory.path, "services.json"), "utf8"))).toEqual({ services: specs });
  });
});
