import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { identifyProcess, isAlive, type ProcessIdentity } from "./process-identity.ts";

/** How names of run folders begin. */
export const runFolderPrefix = "butler-helm-";
const ownedFolder = new RegExp(`^${runFolderPrefix}(\\d+)-(\\d+)-`);
const childFile = "child";

/** A private folder for one run of helm. Its name identifies the process. */
export interface RunFolder {
  readonly path: string;
  /** Writes a private file, and returns its path. */
  write(name: string, content: string): Promise<string>;
  /** Records the process of helm, so that an orphaned one can be found. */
  noteChild(pid: number): Promise<void>;
  remove(): Promise<void>;
}

/** Creates a folder for a run. */
export async function openRunFolder(parent: string): Promise<RunFolder> {
  const { pid, born } = (await identifyProcess(process.pid)) ?? { pid: process.pid, born: 0 };
  // Made with mode 0700.
  const path = await mkdtemp(join(parent, `${runFolderPrefix}${pid}-${born}-`));
  const write = async (name: string, content: string): Promise<string> => {
    const file = join(path, name);
    await writeFile(file, content, { mode: 0o600 });
    return file;
  };
  return {
    path,
    write,
    noteChild: async (child) => {
      const identity = await identifyProcess(child);
      if (identity !== undefined) await write(childFile, JSON.stringify(identity));
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/**
 * Cleans up after killed processes of Butler: ends helm processes that still run, and removes folders with credentials.
 * Returns the number of runs. Only leftovers of this user whose process no longer exists are touched.
 */
export async function sweepRunFolders(parent: string): Promise<number> {
  let swept = 0;
  for (const name of await readdir(parent)) {
    const [, pid, born] = ownedFolder.exec(name) ?? [];
    if (pid === undefined || (await isAlive({ pid: Number(pid), born: Number(born) }))) continue;
    const folder = join(parent, name);
    try {
      if ((await stat(folder)).uid !== process.getuid?.()) continue;
      await endChild(folder);
      await rm(folder, { recursive: true, force: true });
      swept++;
    } catch {
      // Another process cleans up too, or helm is still writing; the next process retries.
    }
  }
  return swept;
}

async function endChild(folder: string): Promise<void> {
  const text = await readFile(join(folder, childFile), "utf8").catch(() => undefined);
  if (text === undefined) return;
  const child = JSON.parse(text) as ProcessIdentity;
  if (child.born > 0 && (await isAlive(child))) process.kill(child.pid, "SIGTERM");
}
