import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..", "..", "..");
const consoleRoot = join(root, "apps", "console");
/** All inputs of a build. The lock file covers third-party packages. */
const sources = ["package-lock.json", "apps/console/{*,{public,src}/**/*}", "packages/*/{package.json,src/**/*}"];

/** The folder of the built console. Built once per state of the sources. */
export async function builtConsole(): Promise<string> {
  const folder = join(root, ".cache", "console", await digestOfSources());
  if (existsSync(folder)) return folder;
  await mkdir(join(folder, ".."), { recursive: true });
  const work = await mkdtemp(`${folder}.`);
  try {
    await buildInto(work);
    // Another test may have built it first; the result is the same.
    await rename(work, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}

async function digestOfSources(): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(sources, { cwd: root, withFileTypes: true })) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  }
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(await readFile(file))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

async function buildInto(outDir: string): Promise<void> {
  const before = process.env["NODE_ENV"];
  // Tests set another value, which would produce a development build.
  process.env["NODE_ENV"] = "production";
  try {
    await build({
      configFile: join(consoleRoot, "vite.config.ts"),
      logLevel: "warn",
      build: { outDir, emptyOutDir: true },
    });
  } finally {
    process.env["NODE_ENV"] = before;
  }
}
