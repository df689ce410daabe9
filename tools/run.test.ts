import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repositoryRoot } from "./steps.ts";

const run = promisify(execFile);

/** Environment variables by which an npm that runs these tests would influence the npm of the test project. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/** For no platform, and in no registry: npm cannot install it and does not have to. */
const elsewhere = { version: "1.0.0", cpu: ["wasm32"], optional: true };

/**
 * A lock file that needs no registry: its only package, which provides the `node` that run.mjs looks for, is a
 * workspace.
 */
function lockFile(version: string, packages: Readonly<Record<string, unknown>>): string {
  const entries = {
    "": { name: "project", workspaces: ["runtime"], optionalDependencies: { elsewhere: "1.0.0" } },
    "node_modules/node": { resolved: "runtime", link: true },
    ...packages,
    runtime: { name: "node", version, bin: { node: "node.sh" } },
  };
  return JSON.stringify({ name: "project", lockfileVersion: 3, requires: true, packages: entries });
}

describe("the entry of every npm script", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "butler-run-"));
    await write(
      "package.json",
      '{"name":"project","workspaces":["runtime"],"optionalDependencies":{"elsewhere":"1.0.0"}}',
    );
    await write("runtime/node.sh", `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    await chmod(join(root, "runtime/node.sh"), 0o755);
    await write("tools/greet.ts", 'console.log("hello", process.argv[2] satisfies unknown);');
    await copyFile(join(repositoryRoot, "tools/run.mjs"), join(root, "tools/run.mjs"));
    await release("1.0.0", { "node_modules/elsewhere": elsewhere });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it("installs what the lock file specifies, once, and does not change the lock file", async () => {
    const lock = await readFile(join(root, "package-lock.json"), "utf8");
    expect(await greet()).toEqual({ stdout: "hello you\n", installs: true });
    expect(await greet()).toEqual({ stdout: "hello you\n", installs: false });
    expect(await readFile(join(root, "package-lock.json"), "utf8")).toBe(lock);
  });

  it("installs again when the lock file has changed", async () => {
    await greet();
    await release("2.0.0", { "node_modules/elsewhere": elsewhere });
    expect(await greet()).toMatchObject({ installs: true });
    expect(await greet()).toMatchObject({ installs: false });
  });

  it("fails when an entry is missing from the lock file", async () => {
    await release("1.0.0", {});
    await expect(greet()).rejects.toMatchObject({ stderr: expect.stringContaining("Missing: elsewhere@") as string });
  });

  async function greet(): Promise<{ stdout: string; installs: boolean }> {
    const { stdout, stderr } = await run(process.execPath, ["tools/run.mjs", "greet", "you"], {
      cwd: root,
      env: { ...environment, npm_config_offline: "true" },
    });
    return { stdout: stdout.slice(stdout.lastIndexOf("hello")), installs: stderr.includes("(npm ci)") };
  }

  /** Sets the version of the workspace in its package.json and in the lock file. */
  async function release(version: string, packages: Readonly<Record<string, unknown>>): Promise<void> {
    await write("runtime/package.json", JSON.stringify({ name: "node", version, bin: { node: "node.sh" } }));
    await write("package-lock.json", lockFile(version, packages));
  }

  async function write(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
});
