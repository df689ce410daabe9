import { isRecord } from "@butler/std";
import { access, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isLockAbandoned } from "../directory-lock.ts";
import { isCertainlyAlive, type ProcessIdentity } from "../process-identity.ts";
import { controlPlanePaths } from "./component-arguments.ts";
import { killGroup } from "./process-guard.ts";

/**
 * Removes the directories, and kills the processes, of control planes whose owner is dead. Directories marked to keep
 * are kept.
 */
export async function removeLeftovers(parent: string): Promise<void> {
  const entries = await readdir(parent).catch(() => []);
  await Promise.all(
    entries
      .filter((entry) => /^butler-.+-[A-Za-z0-9]{6}$/.test(entry))
      .map(async (entry) => {
        const directory = join(parent, entry);
        const { owner, keepMark } = controlPlanePaths(directory);
        if (!(await isLockAbandoned(owner))) return;
        await killRecordedProcesses(directory);
        if (await isPresent(keepMark)) return;
        // Another process may be removing the same directory at the moment, or it may belong to another user.
        await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
      }),
  );
}

function isPresent(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Kills processes that an earlier owner of the directory left running, if their identity is certain. */
export async function killRecordedProcesses(directory: string): Promise<void> {
  const { processes } = controlPlanePaths(directory);
  for (const file of await readdir(processes).catch(() => [])) {
    const identity = parseIdentity(await readFile(join(processes, file), "utf8").catch(() => ""));
    if (identity !== undefined && isCertainlyAlive(identity)) killGroup(identity.pid);
  }
}

function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value["pid"] === "number" ? (value as unknown as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}
