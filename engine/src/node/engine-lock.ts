import { Conflict } from "@butler/std";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tryDirectoryLock } from "../directory-lock.ts";
import type { EnginePaths } from "./engine-paths.ts";

/**
 * Does something to an engine while nobody else does; refuses when somebody is at it. On a full disk there is no room
 * for a lock, but an engine must be stopped and removed even then, and nobody can bring it up.
 */
export async function withEngineLock<Result>(
  { directory }: EnginePaths,
  purpose: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // Taking the lock would bring back the directory of an engine that is gone.
  if (!existsSync(directory)) return work();
  const attempt = await tryDirectoryLock(join(directory, ".up.lock"), purpose).catch(refuseUnlessFull);
  if (attempt === undefined) return work();
  if (!("lock" in attempt)) {
    const { pid, purpose: what } = attempt.owner ?? { pid: "?", purpose: "work on it" };
    throw new Conflict(`cannot ${purpose} now: process ${pid} is about to ${what}`, {
      hint: `Wait until that is done, or end it (kill ${pid}) and try again.`,
    });
  }
  try {
    return await work();
  } finally {
    await attempt.lock.release();
  }
}

function refuseUnlessFull(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  return undefined;
}
