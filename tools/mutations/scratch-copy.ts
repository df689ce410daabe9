import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The scope of the repository's own packages. */
const ownScope = "@butler";

/**
 * Copies a repository's tracked and untracked, but not ignored files. Installed packages are linked instead of copied;
 * the repository's own workspaces are those of the copy.
 */
export async function makeScratchCopy(root: string, copy: string): Promise<void> {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", list, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  for (const path of new Set(stdout.split("\0"))) {
    // A file that was deleted but not committed is still in the list.
    if (path === "" || !existsSync(join(root, path))) continue;
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await cp(join(root, path), join(copy, path), { verbatimSymlinks: true });
  }
  await linkPackages(join(root, "node_modules"), join(copy, "node_modules"));
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(join(to, ownScope), { recursive: true });
  for (const name of await readdir(from)) {
    // Caches of other runs are in dot files, and each copy has its own.
    const isPackage = name === ".bin" || !name.startsWith(".");
    if (isPackage && name !== ownScope) await symlink(join(from, name), join(to, name));
  }
  // These links are relative, so that the same text points into the copy.
  for (const name of await readdir(join(from, ownScope))) {
    await symlink(await readlink(join(from, ownScope, name)), join(to, ownScope, name));
  }
}
