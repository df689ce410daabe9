import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { chartFolder } from "../chart-files.ts";
import { repositoryRoot } from "../steps.ts";

/** A program without a checkout contains the chart that it installs. */
export const carriedChart: Plugin = {
  name: "carried-chart",
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/deploy\/carried-chart\.ts$/ }, async () => ({
      contents: `export const carriedChart = ${JSON.stringify(await filesBelow(join(repositoryRoot, chartFolder)))};`,
      loader: "js",
    }));
  },
};

/**
 * Worker threads are started from files, which a single-file program does not have. A command line can block on helm
 * instead.
 */
export const helmInThisThread: Plugin = {
  name: "helm-in-this-thread",
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/helm\/src\/run\/run-apart\.ts$/ }, () => ({
      contents: 'export { runHelmProcess as runHelmApart } from "./helm-process.ts";',
      loader: "js",
    }));
  },
};

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  // Without file types, links to directories are followed: the chart has one to the CRDs.
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) files[name] = await readFile(path, "utf8");
  }
  return files;
}
