import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identifyProcess } from "./process-identity.ts";
import { openRunFolder, runFolderPrefix, sweepRunFolders } from "./run-folder.ts";

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "butler-run-folder-test-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe("a run folder", () => {
  it("is private, and is removed with its content", async () => {
    const folder = await openRunFolder(parent);
    const file = await folder.write("kubeconfig", "secret");
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await folder.remove();
    expect(await readdir(parent)).toEqual([]);
  });

  it("stays while its process lives", async () => {
    const folder = await openRunFolder(parent);
    expect(await sweepRunFolders(parent)).toBe(0);
    expect((await stat(folder.path)).isDirectory()).toBe(true);
  });
});

describe.runIf(process.platform === "linux")("sweepRunFolders", () => {
  /** A folder as a killed process leaves it. */
  async function leaveFolder(name: string, child?: object): Promise<string> {
    const folder = join(parent, name);
    await mkdir(folder);
    await writeFile(join(folder, "values.json"), "{}");
    if (child !== undefined) await writeFile(join(folder, "child"), JSON.stringify(child));
    return folder;
  }

  it("removes leftovers of a dead process, even if its PID is reused", async () => {
    await leaveFolder(`${runFolderPrefix}999999999-1-aaaaaa`);
    await leaveFolder(`${runFolderPrefix}${process.pid}-1-bbbbbb`);
    const foreign = ["another-program", `${runFolderPrefix}without-owner`];
    for (const name of foreign) await leaveFolder(name);
    expect(await sweepRunFolders(parent)).toBe(2);
    expect((await readdir(parent)).sort()).toEqual(foreign.sort());
  });

  it("ends an orphaned helm, but no other process with its PID", async () => {
    const child = spawn("sleep", ["60"]);
    const exit = once(child, "exit");
    try {
      await once(child, "spawn");
      const identity = (await identifyProcess(child.pid ?? 0)) ?? expect.fail("it does not run");
      await leaveFolder(`${runFolderPrefix}999999999-1-aaaaaa`, { ...identity, born: identity.born - 1 });
      expect(await sweepRunFolders(parent)).toBe(1);
      expect(child.exitCode ?? child.signalCode).toBeNull();
      await leaveFolder(`${runFolderPrefix}999999999-1-bbbbbb`, identity);
      expect(await sweepRunFolders(parent)).toBe(1);
      expect(await exit).toEqual([null, "SIGTERM"]);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("continues when one folder cannot be removed", async () => {
    await leaveFolder(`${runFolderPrefix}999999999-1-aaaaaa`, { pid: "nonsense" });
    await writeFile(join(parent, `${runFolderPrefix}999999999-1-cccccc`), "a file");
    const broken = await leaveFolder(`${runFolderPrefix}999999999-1-bbbbbb`);
    await writeFile(join(broken, "child"), "not JSON");
    await chmod(broken, 0o700);
    await sweepRunFolders(parent);
    expect(await readdir(parent)).not.toContain(`${runFolderPrefix}999999999-1-aaaaaa`);
  });
});
