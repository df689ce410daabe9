import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLockAbandoned, type LockOwner, tryDirectoryLock, waitForDirectoryLock } from "./directory-lock.ts";
import { identifyProcess } from "./process-identity.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const deadOwner: LockOwner = { ...identifyProcess(), startTime: "1", purpose: "be dead" };

async function lockLeftBy(owner: LockOwner): Promise<string> {
  const path = join(await temporaryDirectory(), "lock");
  await mkdir(path);
  await writeFile(join(path, "left.json"), JSON.stringify(owner));
  return path;
}

describe("tryDirectoryLock", () => {
  it("grants the lock to one process, reports its owner to the other, and leaves nothing behind", async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, "lock");
    const first = await tryDirectoryLock(path, "test");
    const second = await tryDirectoryLock(path, "test too");
    expect(second).toEqual({ owner: expect.objectContaining({ pid: process.pid, purpose: "test" }) as unknown });
    if ("lock" in first) await first.lock.release();
    expect(await readdir(directory)).toEqual([]);
  });

  it("breaks the lock of a dead process", async () => {
    const path = await lockLeftBy(deadOwner);
    expect(await isLockAbandoned(path)).toBe(true);
    expect(await tryDirectoryLock(path, "test")).toHaveProperty("lock");
    expect(await isLockAbandoned(path)).toBe(false);
  });

  it("respects the lock of another host until it has been silent for a minute", async () => {
    const path = await lockLeftBy({ ...deadOwner, host: "elsewhere.example" });
    expect(await tryDirectoryLock(path, "test")).toHaveProperty("owner");
    const longAgo = new Date(Date.now() - 61_000);
    await utimes(join(path, "left.json"), longAgo, longAgo);
    expect(await tryDirectoryLock(path, "test")).toHaveProperty("lock");
  });

  it("treats an empty directory as a free lock", async () => {
    const path = join(await temporaryDirectory(), "lock");
    await mkdir(path);
    expect(await isLockAbandoned(path)).toBe(false);
    expect(await tryDirectoryLock(path, "test")).toHaveProperty("lock");
  });
});

describe("waitForDirectoryLock", () => {
  it("never grants the lock twice, even when all waiters find a dead owner", async () => {
    const path = await lockLeftBy(deadOwner);
    let inside = 0;
    let most = 0;
    const enter = async (): Promise<void> => {
      const lock = await waitForDirectoryLock({ path, purpose: "test", pollMs: 1 });
      inside += 1;
      most = Math.max(most, inside);
      await stat(path);
      inside -= 1;
      await lock?.release();
    };
    await Promise.all(Array.from({ length: 25 }, enter));
    expect(most).toBe(1);
  });

  it("reports the current owner, and stops waiting when the lock is no longer needed", async () => {
    const path = join(await temporaryDirectory(), "lock");
    await tryDirectoryLock(path, "hold on");
    const owners: (string | undefined)[] = [];
    let looks = 0;
    const lock = await waitForDirectoryLock({
      path,
      purpose: "wait",
      pollMs: 1,
      onWait: (owner) => owners.push(owner?.purpose),
      isStillNeeded: () => Promise.resolve((looks += 1) < 3),
    });
    expect(lock).toBeUndefined();
    expect(owners).toEqual(["hold on"]);
  });

  it("stops waiting when it is aborted", async () => {
    const path = join(await temporaryDirectory(), "lock");
    await tryDirectoryLock(path, "hold on");
    const controller = new AbortController();
    const onWait = (): void => controller.abort(new Error("enough"));
    const waiting = waitForDirectoryLock({ path, purpose: "wait", onWait, signal: controller.signal });
    await expect(waiting).rejects.toThrow("enough");
  });
});
