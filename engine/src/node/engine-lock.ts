import { Conflict } from "@butler/std";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tryDirectoryLock } from "../directory-lock.ts";
import type { EnginePaths } from "./engine-paths.ts";

/**
 * Runs work on an engine exclusively; throws when another process holds the lock. On a full disk there is no space for
 * a lock, but an engine must be stopped and removed even then, and no process can start it.
 */
export async function withEngineLock<Result>(
  { directory }: EnginePaths,
  purpose: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // Acquiring the lock would recreate the directory of a removed engine.
  if (!existsSync(directory)) return work();
  const attempt = await tryDirectoryLock(join(directory, ".up.lock"), purpose).catch(refuseUnlessFull);
  if (attempt === undefined) return work();
  if (!("lock" in attempt)) {
    const { pid, purpose: what } = attempt.owner ?? { pid: "?", purpose: "change the engine" };
    throw new Conflict(`cannot ${purpose}: locked by process ${pid} (${what})`, {
      hint: `Wait for it to finish, or stop it (kill ${pid}) and retry.`,
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
