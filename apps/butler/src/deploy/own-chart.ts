import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "@butler/std/cache-folder";
import { carriedChart } from "./carried-chart.ts";
import { chartFolder } from "./chart-install.ts";

/** The chart of this program: in its checkout, or unpacked from the program itself. */
export async function ownChart(): Promise<string> {
  if (carriedChart === undefined) return chartFolder;
  return unpackChart(carriedChart, cacheFolder(process.env, "charts"));
}

/** Writes a chart below a directory, once per content. */
export async function unpackChart(files: Readonly<Record<string, string>>, into: string): Promise<string> {
  const content = Object.entries(files).sort(([left], [right]) => (left < right ? -1 : 1));
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16);
  const folder = join(into, digest);
  if (existsSync(folder)) return folder;
  await mkdir(into, { recursive: true });
  const work = await mkdtemp(`${folder}.`);
  try {
    for (const [path, text] of content) {
      await mkdir(dirname(join(work, path)), { recursive: true });
      await writeFile(join(work, path), text);
    }
    // Renamed into place atomically. Another process may have been faster; its content is the same.
    await rename(work, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
