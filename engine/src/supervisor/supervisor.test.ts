import { InvalidInput, NotFound, Unavailable } from "@butler/std";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "vitest";
import { connectSupervisor, startSupervisor, stopSupervisor } from "./start-supervisor.ts";
import { exitCodeOf, pidOf, statusOf, SupervisedDirectory } from "./testing/supervised-directory.ts";

const timeoutMs = 30_000;
const sleeper = "exec sleep 600";
const poll = { timeout: 20_000 };

async function allOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

// At the same time, because most of their time is spent on waiting for processes.
describe.concurrent("a supervisor", () => {
  it("starts in dependency order, can be reconnected, stops in reverse order and leaves nothing behind", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    expect(await connectSupervisor(directory.path)).toBeUndefined();
    const specs = [
      directory.server("c", { dependsOn: ["b"] }),
      directory.server("a"),
      directory.server("b", { dependsOn: ["a"] }),
    ];
    // The client polls, and would otherwise miss a state that ends between two requests.
    const releases = { "c Waiting": directory.hold("a"), "c Starting": directory.hold("c") };
    const client = await startSupervisor(directory.path, specs);
    const changes: string[] = [];
    const onChange = ({ name, state }: { readonly name: string; readonly state: string }): void => {
      changes.push(`${name} ${state}`);
      Object.entries(releases).find(([change]) => change === changes.at(-1))?.[1]();
    };
    await client.waitReady({ timeoutMs, onChange });
    expect(directory.eventLines()).toEqual(["start a", "listen a", "start b", "listen b", "start c", "listen c"]);
    // A state is reported again if its message changes.
    expect([...new Set(changes.filter((change) => change.startsWith("c ")))]).toEqual([
      "c Waiting",
      "c Starting",
      "c Ready",
    ]);
    expect(statSync(join(directory.path, "supervisor.sock")).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory.path, "status.json")).mode & 0o777).toBe(0o600);

    const found = await connectSupervisor(directory.path);
    expect(await found?.status()).toMatchObject({ isEnding: false, problems: [] });
    await found?.stop({ timeoutMs });
    expect(directory.eventLines().slice(6)).toEqual(["end c", "end b", "end a"]);
    expect([...directory.processes(), ...directory.daemons()]).toEqual([]);
    expect(await connectSupervisor(directory.path)).toBeUndefined();
    expect(await readdir(join(directory.path, "locks"))).toEqual([]);
  });

  it("restarts a killed service, and leaves its dependents running", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const client = await startSupervisor(directory.path, [
      directory.server("a"),
      directory.shell("b", sleeper, { dependsOn: ["a"], oomScoreAdj: 500 }),
    ]);
    await client.waitReady({ timeoutMs });
    const [a, b] = [await pidOf(client, "a"), await pidOf(client, "b")];
    expect(await readFile(`/proc/${b}/oom_score_adj`, "utf8")).toBe("500\n");
    process.kill(a, "SIGKILL");
    const after = await directory.untilService(client, "a", { state: "Ready", restarts: 1 });
    expect(after.process?.pid).not.toBe(a);
    expect(after.lastExit).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(await statusOf(client, "b")).toMatchObject({ restarts: 0, process: { pid: b } });
  });

  it("kills a service with its children if it does not exit in time", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const script = "trap '' TERM; (trap '' TERM; sleep 600) & while :; do sleep 0.1; done";
    const client = await startSupervisor(directory.path, [directory.shell("stubborn", script, { stopGraceMs: 300 })]);
    await client.waitReady({ timeoutMs });
    await expect.poll(() => directory.processes().length, poll).toBeGreaterThanOrEqual(2);
    await client.stop({ services: ["stubborn"], timeoutMs });
    await expect.poll(() => directory.processes(), poll).toEqual([]);
    expect(await statusOf(client, "stubborn")).toMatchObject({ lastExit: { signal: "SIGKILL" } });
  });

  it("kills leftover processes of a dead service before it restarts it", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const client = await startSupervisor(directory.path, [directory.shell("parent", "sleep 600 & wait")]);
    await expect.poll(() => directory.processes().length, poll).toBe(2);
    const family = directory.processes();
    process.kill(await pidOf(client, "parent"), "SIGKILL");
    await directory.untilService(client, "parent", { state: "Ready", restarts: 1 });
    await expect.poll(() => directory.processes().length, poll).toBe(2);
    expect(directory.processes().filter((pid) => family.includes(pid))).toEqual([]);
  });

  it("applies changed specs, and restarts only the affected services", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const [same, changed, gone] = ["same", "changed", "gone"].map((name) => directory.shell(name, sleeper));
    if (!same || !changed || !gone) throw new Error("three services");
    const client = await startSupervisor(directory.path, [same, changed, gone]);
    await client.waitReady({ timeoutMs });
    const before = [await pidOf(client, "same"), await pidOf(client, "changed")];
    await startSupervisor(directory.path, [
      { ...same, readiness: { type: "file", path: directory.events } },
      { ...changed, environment: { ...changed.environment, NEW: "1" } },
      directory.shell("new", sleeper),
    ]);
    await expect
      .poll(async () => (await client.status()).services.map(({ name, state }) => `${name} ${state}`), poll)
      .toEqual(["same Ready", "changed Ready", "new Ready"]);
    expect(await pidOf(client, "same")).toBe(before[0]);
    expect(await pidOf(client, "changed")).not.toBe(before[1]);
    expect(directory.processes()).toHaveLength(3);
  });

  it("stops and restarts single services on request", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const specs = [directory.shell("a", sleeper), directory.shell("b", sleeper)];
    const client = await startSupervisor(directory.path, specs);
    await client.waitReady({ timeoutMs });
    const [a, b] = [await pidOf(client, "a"), await pidOf(client, "b")];
    await client.stop({ services: ["a"], timeoutMs });
    const stopped = await statusOf(client, "a");
    expect([stopped.state, stopped.process]).toEqual(["Stopped", undefined]);
    await client.restart("b");
    await directory.untilService(client, "b", { state: "Ready", restarts: 1 });
    expect(await pidOf(client, "b")).not.toBe(b);
    expect(await statusOf(client, "a")).toMatchObject({ state: "Stopped" });
    await startSupervisor(directory.path, specs);
    await client.waitReady({ timeoutMs });
    expect(await pidOf(client, "a")).not.toBe(a);
    await expect(client.restart("nobody")).rejects.toThrow(NotFound);
    await expect(client.stop({ services: ["nobody"], timeoutMs })).rejects.toThrow(NotFound);
  });

  it("rotates logs while a service writes, and reads across the files", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const script = "i=0; while :; do i=$((i+1)); echo line $i; [ $((i % 500)) = 0 ] && sleep 0.05; done";
    const client = await startSupervisor(directory.path, [
      directory.shell("chatter", script, { logMaxBytes: 20_000, logFiles: 3 }),
    ]);
    const names = ["chatter.log", "chatter.log.1", "chatter.log.2"];
    await expect.poll(() => readdir(join(directory.path, "logs")), poll).toEqual(names);
    expect((await statusOf(client, "chatter")).restarts).toBe(0);
    await client.stop({ services: ["chatter"], timeoutMs });
    expect(await readdir(join(directory.path, "logs"))).toEqual(names);
    const lines = await allOf(client.logs("chatter", { lines: 1_000_000 }));
    const numbers = lines.map((line) => Number(line.slice("line ".length)));
    // The first of the oldest file may be cut, and a few may get lost at a rotation, but nothing comes twice.
    expect(numbers.slice(1)).toEqual(numbers.slice(1).sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(await allOf(client.logs("chatter", { lines: 2 }))).toEqual(lines.slice(-2));
    await expect(client.logs("nobody").next()).rejects.toThrow(NotFound);
  });

  it("runs once, however many processes start it concurrently", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const specs = [directory.shell("a", sleeper)];
    const clients = await Promise.all(Array.from({ length: 4 }, () => startSupervisor(directory.path, specs)));
    const pids = await Promise.all(clients.map(async (client) => (await client.status()).daemon.pid));
    expect(new Set(pids).size).toBe(1);
    await expect.poll(() => directory.daemons(), poll).toEqual([pids[0]]);
    await clients[0]?.waitReady({ timeoutMs });
    expect(directory.processes()).toHaveLength(1);
    const second = directory.daemon();
    expect(await exitCodeOf(second)).toBe(2);
    expect(second.said()).toContain(`another supervisor (PID ${pids[0]}) is already using ${directory.path}`);
  });

  it("keeps running services when the new configuration cannot be read", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const client = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await client.waitReady({ timeoutMs });
    const pid = await pidOf(client, "a");
    writeFileSync(join(directory.path, "services.json"), '{"services": [{"name": "a"');
    await expect(client.reload()).rejects.toThrow(InvalidInput);
    expect(await pidOf(client, "a")).toBe(pid);
    const bad = directory.shell("a", sleeper, { dependsOn: ["a"] });
    await expect(startSupervisor(directory.path, [bad])).rejects.toThrow("have a dependency cycle: a -> a");
  });

  it("continues when it cannot write its status", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    mkdirSync(join(directory.path, "status.json", "in-the-way"), { recursive: true });
    const client = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await client.waitReady({ timeoutMs });
    process.kill(await pidOf(client, "a"), "SIGKILL");
    await directory.untilService(client, "a", { state: "Ready", restarts: 1 });
    const { problems } = await client.status();
    expect(problems).toContainEqual(expect.stringMatching(/cannot write .*status.json/));
    rmSync(join(directory.path, "status.json"), { recursive: true });
    await expect.poll(() => readFile(join(directory.path, "status.json"), "utf8"), poll).toContain('"Ready"');
    expect((await readdir(directory.path)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("stops with its services on a signal", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const client = await startSupervisor(directory.path, [directory.server("a")]);
    await client.waitReady({ timeoutMs });
    process.kill((await client.status()).daemon.pid, "SIGTERM");
    await expect.poll(() => [...directory.daemons(), ...directory.processes()], poll).toEqual([]);
    expect(directory.eventLines().at(-1)).toBe("end a");
    await stopSupervisor(directory.path, { timeoutMs });
  });

  it("replaces any file at the path of its socket", async (test) => {
    const directory = await SupervisedDirectory.create(test);
    mkdirSync(join(directory.path, "supervisor.sock", "in-the-way"), { recursive: true });
    const client = await startSupervisor(directory.path, [directory.shell("a", sleeper)]);
    await client.waitReady({ timeoutMs });
  });

  it("explains why it cannot start", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    writeFileSync(join(directory.path, "locks"), "in the way");
    await expect(startSupervisor(directory.path, [])).rejects.toThrow(/cannot start a supervisor.*\n.*locks/);
  });
});

// One after the other, because they look at something that lasts only for a moment.
describe("a supervisor", () => {
  it("shows a crash loop with the last log lines, and a command that does not exist", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const client = await startSupervisor(directory.path, [
      directory.shell("loop", "echo bind: address already in use >&2; exit 3"),
      directory.service("missing", { command: "/no/such/program" }),
      directory.shell("slow", sleeper, { readiness: { type: "file", path: "/no/such/file" } }),
      directory.shell("last", sleeper, { dependsOn: ["slow", "missing"] }),
    ]);
    const loop = await directory.untilService(client, "loop", { state: "Backoff", restarts: 2 });
    expect(loop.message).toMatch(/^exited with code 3 \(\d times in a row\); .*\nbind: address already in use$/);
    expect(await statusOf(client, "missing")).toMatchObject({
      state: "Failed",
      message: "cannot start: the command /no/such/program does not exist",
    });
    await expect(client.waitReady({ services: ["missing"], timeoutMs })).rejects.toThrow(Unavailable);
    await expect(client.waitReady({ services: ["nobody"], timeoutMs })).rejects.toThrow(NotFound);
    await directory.untilService(client, "slow", { state: "Starting", message: "/no/such/file does not exist" });
    await expect(client.waitReady({ services: ["slow"], timeoutMs: 1 })).rejects.toThrow(
      "not ready after 0.001 s: slow is Starting: /no/such/file does not exist",
    );
    expect(await statusOf(client, "last")).toMatchObject({ state: "Waiting", message: "waiting for slow, missing" });
    expect(await readFile(join(directory.path, "status.json"), "utf8")).toContain("address already in use");
  });

  it("reports no service as ready that is about to be replaced", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const slow = "trap 'sleep 0.5; exit' TERM; while :; do sleep 0.05; done";
    const specs = [directory.shell("a", sleeper), directory.shell("b", slow, { dependsOn: ["a"] })];
    const client = await startSupervisor(directory.path, specs);
    await client.waitReady({ timeoutMs });
    const before = [await pidOf(client, "a"), await pidOf(client, "b")];
    await client.restart("b");
    await client.restart("a");
    expect(await statusOf(client, "a")).toMatchObject({ state: "Stopping", process: { pid: before[0] } });
    await client.waitReady({ services: ["a"], timeoutMs });
    await client.waitReady({ timeoutMs });
    const after = [await pidOf(client, "a"), await pidOf(client, "b")];
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it("starts again on request while the previous one is still stopping", async (test) => {
    const { expect } = test;
    const directory = await SupervisedDirectory.create(test);
    const slow = directory.shell("slow", "trap 'sleep 0.5; exit 0' TERM; while :; do sleep 0.05; done");
    const client = await startSupervisor(directory.path, [slow]);
    await client.waitReady({ timeoutMs });
    const { daemon } = await client.status();
    const stopping = client.stop({ timeoutMs });
    await expect.poll(() => client.status(), poll).toMatchObject({ isEnding: true });
    const next = await startSupervisor(directory.path, [slow]);
    await stopping;
    await next.waitReady({ timeoutMs });
    expect((await next.status()).daemon.pid).not.toBe(daemon.pid);
    expect(directory.daemons()).toHaveLength(1);
  });
});
