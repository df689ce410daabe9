import { type Clock, isRecord, sleep, systemClock } from "@butler/std";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { identifyProcess, isProcessAlive, type ProcessIdentity } from "./process-identity.ts";

/**
 * A lock between processes. The lock is a directory that holds exactly one file, the owner's, under a name that no
 * other owner ever has. It is acquired by renaming a prepared directory to the lock's path, which POSIX allows only if
 * the path does not exist or is an empty directory. The lock of a dead owner is broken by removing the owner's file:
 * because the name is unique, this never removes a lock that another process acquired in the meantime.
 */

/** The owner of a lock, and its purpose. */
export interface LockOwner extends ProcessIdentity {
  /** What the owner is doing, as an infinitive for messages. */
  readonly purpose: string;
}

/** An acquired lock. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/** The outcome of one attempt: the lock, or its current owner. */
export type LockAttempt = { readonly lock: DirectoryLock } | { readonly owner: LockOwner | undefined };

const heartbeatMs = 10_000;
const silenceMeansDeadMs = 60_000;

/** Tries once to acquire the lock, breaking it when its owner is dead. */
export async function tryDirectoryLock(path: string, purpose: string): Promise<LockAttempt> {
  const present = await readHolder(path);
  if (present !== undefined && !present.isStale) return { owner: present.owner };
  const ownerFile = `${randomUUID()}.json`;
  const staging = `${path}.${ownerFile}`;
  await mkdir(dirname(path), { recursive: true });
  await mkdir(staging);
  try {
    const owner: LockOwner = { ...identifyProcess(), purpose };
    await writeFile(join(staging, ownerFile), JSON.stringify(owner));
    // The path can become free between a failed rename and the check of its owner, hence more than one attempt.
    for (let round = 0; round < 10; round += 1) {
      if (await renameOnto(staging, path)) return { lock: heldLock(path, ownerFile) };
      const holder = await readHolder(path);
      if (holder !== undefined && !holder.isStale) return { owner: holder.owner };
      if (holder !== undefined) await unlink(join(path, holder.file)).catch(ignoreMissing);
    }
    return { owner: undefined };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** How to wait for a lock. */
export interface WaitForLock {
  readonly path: string;
  readonly purpose: string;
  /** Called immediately when another process holds the lock, and again whenever its owner changes. */
  readonly onWait?: (owner: LockOwner | undefined) => void;
  /** Polled while waiting; false stops waiting without the lock. */
  readonly isStillNeeded?: () => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  readonly pollMs?: number;
}

/** Waits until the lock is acquired; undefined when it was no longer needed before that. */
export async function waitForDirectoryLock(wait: WaitForLock): Promise<DirectoryLock | undefined> {
  const { path, purpose, onWait, isStillNeeded, signal, clock = systemClock, pollMs = 200 } = wait;
  let told: string | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const attempt = await tryDirectoryLock(path, purpose);
    if ("lock" in attempt) return attempt.lock;
    const whom = JSON.stringify(attempt.owner ?? {});
    if (whom !== told) onWait?.(attempt.owner);
    told = whom;
    await sleep(clock, pollMs, signal);
    if (isStillNeeded !== undefined && !(await isStillNeeded())) return undefined;
  }
}

/** Whether the lock exists and its owner is dead; false when there is no lock. */
export async function isLockAbandoned(path: string): Promise<boolean> {
  return (await readHolder(path))?.isStale === true;
}

function heldLock(path: string, ownerFile: string): DirectoryLock {
  const file = join(path, ownerFile);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, heartbeatMs);
  beat.unref();
  return {
    release: async () => {
      clearInterval(beat);
      await unlink(file).catch(ignoreMissing);
      await rmdir(path).catch(() => undefined);
    },
  };
}

async function renameOnto(staging: string, path: string): Promise<boolean> {
  try {
    await rename(staging, path);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<{ file: string; owner?: LockOwner; isStale: boolean } | undefined> {
  const [file] = await readdir(path).catch(() => []);
  if (file === undefined) return undefined;
  try {
    const silentMs = Date.now() - (await stat(join(path, file))).mtimeMs;
    const owner = parseOwner(await readFile(join(path, file), "utf8"));
    const isAlive = owner === undefined ? undefined : isProcessAlive(owner);
    return { file, ...(owner && { owner }), isStale: isAlive === undefined ? silentMs > silenceMeansDeadMs : !isAlive };
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value["pid"] === "number" ? (value as unknown as LockOwner) : undefined;
  } catch {
    return undefined;
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
