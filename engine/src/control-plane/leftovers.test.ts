import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { identifyProcess, type ProcessIdentity } from "../process-identity.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { removeLeftovers } from "./leftovers.ts";

const dead: ProcessIdentity = { ...identifyProcess(), startTime: "1" };

function anOrphan(): ChildProcess {
  const orphan = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  onTestFinished(() => void orphan.kill("SIGKILL"));
  return orphan;
}

async function leave(directory: string, owner: ProcessIdentity, started: ProcessIdentity): Promise<void> {
  await mkdir(join(directory, "owner"), { recursive: true });
  await mkdir(join(directory, "processes"));
  await writeFile(join(directory, "owner", "x.json"), JSON.stringify({ ...owner, purpose: "test" }));
  await writeFile(join(directory, "processes", "etcd.json"), JSON.stringify(started));
}

describe("removeLeftovers", () => {
  it("removes leftovers of dead owners and kills their processes", async () => {
    const parent = await temporaryDirectory();
    const orphan = anOrphan();
    const orphanEnds = once(orphan, "exit");
    await leave(join(parent, "butler-dead-AbCd12"), dead, identifyProcess(orphan.pid));
    await removeLeftovers(parent);
    expect(await orphanEnds).toEqual([null, "SIGKILL"]);
    expect(await readdir(parent)).toEqual([]);
  });

  it("keeps directories that are in use, marked to keep or not ours, and processes that only reuse a PID", async () => {
    const parent = await temporaryDirectory();
    const stranger = anOrphan();
    await leave(join(parent, "butler-living-AbCd12"), identifyProcess(), identifyProcess(stranger.pid));
    await leave(join(parent, "butler-kept-AbCd12"), dead, { ...identifyProcess(stranger.pid), startTime: "1" });
    await writeFile(join(parent, "butler-kept-AbCd12", "keep"), "");
    await mkdir(join(parent, "butler-new-AbCd12"));
    await leave(join(parent, "butlers-own-AbCd12"), dead, dead);
    const before = await readdir(parent);
    await removeLeftovers(parent);
    expect(await readdir(parent)).toEqual(before);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });
});
