import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeScratchCopy } from "./scratch-copy.ts";

const run = promisify(execFile);
let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "butler-copy-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("a copy contains the repository's files, the installed packages, and its own workspaces instead of the repository's", async () => {
  const [root, copy] = [join(folder, "root"), join(folder, "copy")];
  await write("root/.gitignore", "node_modules/\n*.log\n");
  await write("root/packages/std/index.ts", "export const one = 1;\n");
  await write("root/debug.log", "");
  await symlink("packages", join(root, "link"));
  await write("root/gone.ts", "");
  await write("root/node_modules/yaml/index.js", "");
  await write("root/node_modules/.cache/x", "");
  await mkdir(join(root, "node_modules/@butler"));
  await symlink("../../packages/std", join(root, "node_modules/@butler/std"));
  await run("git", ["init", "--quiet"], { cwd: root });
  await run("git", ["add", "."], { cwd: root });
  await rm(join(root, "gone.ts"));
  await write("root/new.ts", "");
  await makeScratchCopy(root, copy);
  expect(await readFile(join(copy, "packages/std/index.ts"), "utf8")).toContain("one = 1");
  expect(await realpath(join(copy, "node_modules/@butler/std"))).toBe(join(copy, "packages/std"));
  expect(await realpath(join(copy, "node_modules/yaml"))).toBe(join(root, "node_modules/yaml"));
  expect(await realpath(join(copy, "link"))).toBe(join(copy, "packages"));
  expect(await realpath(join(copy, "new.ts"))).toBe(join(copy, "new.ts"));
  for (const path of ["debug.log", "gone.ts", "node_modules/.cache"]) {
    await expect(realpath(join(copy, path))).rejects.toThrow();
  }
});

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}
