import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startSupervisor } from "./start-supervisor.ts";
import { SupervisedDirectory } from "./testing/supervised-directory.ts";

const timeoutMs = 30_000;
const poll = { timeout: 20_000 };

describe("a chore", () => {
  it("runs repeatedly, is not a service, and ends with the supervisor", async () => {
    const directory = await SupervisedDirectory.create();
    const client = await startSupervisor(directory.path, [
      directory.shell("a", "exec sleep 600"),
      directory.shell("chore", `echo done >> ${directory.events}`, { everyMs: 200 }),
    ]);
    await client.waitReady({ timeoutMs });
    await expect.poll(() => directory.eventLines().length, poll).toBeGreaterThanOrEqual(3);
    const { services, problems } = await client.status();
    expect([services.map(({ name }) => name), problems]).toEqual([["a"], []]);
    await client.stop({ timeoutMs });
    expect([...directory.processes(), ...directory.daemons()]).toEqual([]);
  });

  it("that fails is a problem until it succeeds", async () => {
    const directory = await SupervisedDirectory.create();
    const script = `grep -q x ${directory.events} || { echo no room >&2; exit 3; }`;
    const client = await startSupervisor(directory.path, [directory.shell("chore", script, { everyMs: 200 })]);
    const problems = async () => (await client.status()).problems;
    await expect.poll(problems, poll).toEqual(["chore: exited with code 3: no room"]);
    const fixed = directory.shell("chore", "exit 0", { everyMs: 200 });
    await startSupervisor(directory.path, [fixed]);
    await expect.poll(problems, poll).toEqual([]);
    await startSupervisor(directory.path, [{ ...fixed, command: "/no/such/program" }]);
    await expect.poll(problems, poll).toEqual([expect.stringContaining("/no/such/program does not exist")]);
  });

  it("that takes too long is killed and retried", async () => {
    const directory = await SupervisedDirectory.create();
    const script = `echo begun >> ${directory.events}; exec sleep 600`;
    const client = await startSupervisor(directory.path, [directory.shell("chore", script, { everyMs: 100 })]);
    await expect.poll(() => directory.eventLines().length, poll).toBeGreaterThanOrEqual(2);
    expect(directory.processes().length).toBeLessThanOrEqual(1);
    await expect
      .poll(async () => (await client.status()).problems, poll)
      .toEqual(["chore: terminated by signal SIGKILL"]);
  });
});

describe("a supervisor whose directory was removed", () => {
  it("kills the services and exits, even when a new directory of that name exists", async () => {
    const directory = await SupervisedDirectory.create();
    const client = await startSupervisor(directory.path, [
      directory.shell("a", "trap '' TERM; while :; do sleep 0.1; done", { workingDirectory: "/" }),
    ]);
    await client.waitReady({ timeoutMs });
    const first = directory.daemons();
    await rm(directory.path, { recursive: true, maxRetries: 5 });
    const again = await startSupervisor(directory.path, [directory.shell("b", "exec sleep 600")]);
    await again.waitReady({ services: ["b"], timeoutMs });
    await expect.poll(() => directory.daemons().filter((pid) => first.includes(pid)), poll).toEqual([]);
    await expect.poll(async () => (await again.status()).services.map(({ name }) => name), poll).toEqual(["b"]);
    expect(directory.processes()).toHaveLength(1);
    expect(readFileSync(join(directory.path, "services.json"), "utf8")).toContain('"b"');
  });
});
