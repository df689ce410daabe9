import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rmdir, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasCgroupV2 } from "./cgroups.ts";
import { runCommand } from "./run-command.ts";
import { exitCodes } from "./testing/command-line.ts";
import { canRunEngines, FaultBench } from "./testing/fault-bench.ts";
import { findTraces } from "./testing/traces.ts";

let bench: FaultBench;

const success = expect.objectContaining({ code: 0 }) as unknown;
const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/** Makes Node report another operating system. */
const pretence = 'Object.defineProperty(process, "platform", { value: "darwin" })';
const onAnotherSystem = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretence)}` };

/** A way to start a program with little memory. */
async function withLittleMemory(): Promise<readonly string[]> {
  const name = `fault-${randomBytes(3).toString("hex")}`;
  const group = hasCgroupV2() ? `/sys/fs/cgroup/${name}` : `/sys/fs/cgroup/memory/${name}`;
  await mkdir(group);
  onTestFinished(() => eventually(() => rmdir(group).then(() => true)).then(() => undefined));
  await writeFile(join(group, hasCgroupV2() ? "memory.max" : "memory.limit_in_bytes"), String(2 ** 30));
  return ["sh", "-c", `echo $$ > ${group}/cgroup.procs; exec "$@"`, "sh"];
}

/** Changes the size of the disk that the engine lives on. */
function resizeDisk(bytes: number): Promise<string> {
  return runCommand(["mount", "-o", `remount,size=${bytes}`, bench.home]);
}

/** Leaves no room for another byte. What the engine writes while we look makes the size too small, so we look again. */
async function fillDisk(): Promise<void> {
  await eventually(async () => {
    const { blocks, bfree, bsize } = await statfs(bench.home);
    return resizeDisk((blocks - bfree) * bsize).then(
      () => true,
      () => false,
    );
  });
}

describe.runIf(canRunEngines)("an unsuitable machine", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    bench = await FaultBench.create();
    await runCommand(["mount", "-t", "tmpfs", "-o", "size=64m,mode=755", "tmpfs", bench.home]);
  });
  afterAll(() => bench?.remove());

  it.each<[string, () => Promise<object>, string, string]>([
    ["not root", () => Promise.resolve({ under: nobody }), "only root can create namespaces", "with sudo"],
    [
      "another system",
      () => Promise.resolve({ environment: onAnotherSystem }),
      "the engine runs only on Linux, not on darwin",
      "Use an existing cluster instead",
    ],
    [
      "too little memory",
      async () => ({ under: await withLittleMemory() }),
      "not enough memory: the machine has 1.0 GiB, 2.0 GiB required",
      "Use an existing cluster instead",
    ],
    [
      "too little disk",
      () => Promise.resolve({}),
      "0.1 GiB free, 6.0 GiB required",
      "set BUTLER_HOME to a directory on a larger disk",
    ],
  ])("is rejected for %s, and nothing is changed", async (_what, options, what, remedy) => {
    const { code, said } = await bench.command(["up"], await options());
    expect(code).toBe(exitCodes.unavailable);
    expect(said).toContain("butleradm: the engine cannot run on this machine: ");
    expect(said).toContain(what);
    expect(said).toContain(remedy);
    expect(existsSync(bench.engine().paths.directory)).toBe(false);
  });

  it("with a full disk reports the directory and a remedy; once there is space the engine continues with all its objects", async () => {
    await resizeDisk(8 * 2 ** 30);
    expect(await bench.command(["up"])).toEqual(success);
    const uid = await bench.createObject("kept");
    await writeFile(join(bench.home, "filler"), "x".repeat(900_000));
    await fillDisk();
    // Until etcd needs more than it has set aside.
    const data = `--from-file=data=${join(bench.home, "filler")}`;
    const isWritable = (at: number) =>
      bench.kubectl("create", "configmap", `filler-${at}`, data, "--request-timeout=3s").then(
        () => true,
        () => false,
      );
    for (let at = 0; at < 100; at++) if (!(await isWritable(at))) break;
    const full = `the disk that holds ${bench.engine().paths.directory} is full`;
    const status = await bench.command(["status"]);
    expect(status).toMatchObject({ code: 1, printed: expect.stringContaining(full) as unknown });
    expect(status.printed).toContain(`Free disk space, then run: butleradm local up --name ${bench.name}`);
    expect(await bench.command(["doctor"])).toMatchObject({
      code: 1,
      printed: expect.stringContaining(full) as unknown,
    });
    const up = await bench.command(["up"]);
    expect(up).toMatchObject({
      code: exitCodes.unavailable,
      said: expect.stringContaining("Free space on the disk that holds") as unknown,
    });
    await resizeDisk(8 * 2 ** 30);
    expect(await bench.command(["up"])).toEqual(success);
    expect(await bench.objectId("kept")).toBe(uid);
    expect(await bench.createObject("new")).not.toBe("");
  });

  it("shows an unprivileged user only that an engine exists", async () => {
    for (const verb of ["status", "down", "reset"]) {
      const { code, said } = await bench.command([verb], { under: nobody });
      expect([code, said]).toEqual([
        exitCodes.refused,
        expect.stringContaining("is owned by root\nRun the command with sudo."),
      ]);
    }
    expect(await bench.command(["status"])).toEqual(success);
  });

  it("stops and removes an engine although its disk is full", async () => {
    const slots = [Number(await readFile(bench.engine().paths.slot, "utf8"))];
    await fillDisk();
    expect(await bench.command(["down"])).toEqual(success);
    expect(await bench.command(["reset"])).toEqual(success);
    const traces = await findTraces({ home: bench.home, names: [bench.name], slots });
    expect(traces).toEqual([expect.stringContaining(`tmpfs ${bench.home} `)]);
  });
});
