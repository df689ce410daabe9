import { Conflict } from "@butler/std";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { tryDirectoryLock } from "../directory-lock.ts";
import { type ControlPlanePaths, controlPlanePaths } from "./component-arguments.ts";
import { checkSocketPath } from "./control-plane-options.ts";
import { killRecordedProcesses } from "./leftovers.ts";

/** A directory that is reserved for this process until it is closed. */
export interface Workspace {
  readonly paths: ControlPlanePaths;
  /** Whether the directory is removed with the control plane. */
  readonly isTemporary: boolean;
  close(): Promise<void>;
}

/** Which directory to use. */
export interface WorkspaceOptions {
  readonly name: string;
  readonly dataDir: string | undefined;
  readonly keep: boolean;
}

/** Creates a temporary directory, or uses the given one unless a running process uses it. */
export async function openWorkspace({ name, dataDir, keep }: WorkspaceOptions): Promise<Workspace> {
  const prefix = join(tmpdir(), `butler-${name}-`);
  checkSocketPath(controlPlanePaths(dataDir === undefined ? `${prefix}XXXXXX` : resolve(dataDir)).peerSocket);
  const directory = dataDir === undefined ? await mkdtemp(prefix) : resolve(dataDir);
  const isTemporary = dataDir === undefined && !keep;
  const paths = controlPlanePaths(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const attempt = await tryDirectoryLock(paths.owner, `run the control plane ${name}`);
  if (!("lock" in attempt)) {
    const owner = attempt.owner === undefined ? "another process" : `process ${attempt.owner.pid}`;
    throw new Conflict(`${directory} is in use by ${owner}`, {
      hint: "Stop that control plane, or use another dataDir.",
    });
  }
  await killRecordedProcesses(directory);
  if (!isTemporary) await writeFile(paths.keepMark, "");
  await Promise.all([mkdir(paths.logs, { recursive: true }), mkdir(paths.processes, { recursive: true })]);
  return {
    paths,
    isTemporary,
    close: async () => {
      await rm(isTemporary ? directory : paths.processes, { recursive: true, force: true, maxRetries: 5 });
      await attempt.lock.release();
    },
  };
}
