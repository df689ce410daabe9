import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { BundledFile } from "./bundle.ts";

/** The console as loaded by browsers, and its sources. */
export interface BuiltConsole {
  readonly files: readonly BundledFile[];
  /** Paths of the included modules, relative to the root. */
  readonly inputs: readonly string[];
}

/** Directory of the console in the bundle. */
export const consoleFolder = "console";

/** Builds the console of this checkout. The same sources produce the same bytes. */
export async function buildConsole(root: string): Promise<BuiltConsole> {
  // Imported only here: other commands need no bundler for pages.
  const { build } = await import("vite");
  const configFile = join(root, "apps/console/vite.config.ts");
  const built = await asInProduction(() => build({ configFile, logLevel: "warn", build: { write: false } }));
  const outputs = [built].flat().flatMap((each) => ("output" in each ? each.output : []));
  return {
    files: [
      ...outputs.map((file) => ({
        path: `${consoleFolder}/${file.fileName}`,
        content: Buffer.from(file.type === "chunk" ? file.code : file.source),
      })),
      ...(await filesAsTheyAre(join(root, "apps/console/public"))),
    ],
    inputs: outputs.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])).map((id) => relative(root, id)),
  };
}

/** Static files. The bundler would copy them, but only when it writes to disk. */
async function filesAsTheyAre(folder: string): Promise<BundledFile[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.map(async (path) => ({ path: `${consoleFolder}/${relative(folder, path)}`, content: await readFile(path) })),
  );
}

/** React uses its development build unless NODE_ENV is production, and it is not in tests. */
async function asInProduction<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}
