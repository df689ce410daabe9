import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openToolCache } from "../ensure-tools.ts";
import { type BundledProgramFile, butlerImageOf } from "./butler-image.ts";
import { archivesOf } from "./image-archives.ts";
import { archiveFileName, parseImageName } from "./image-name.ts";
import type { ImageDescription } from "./image-writer.ts";

/** An engine that accepts images. */
export interface ImageTaker {
  readonly addImages: (images: readonly ImageDescription[]) => Promise<void>;
}

/** Imports the image of a bundle into an engine, and returns its name for pods. */
export async function provideButlerImage(
  engine: ImageTaker,
  bundle: readonly BundledProgramFile[],
  options: { readonly say?: (sentence: string) => void } = {},
): Promise<string> {
  const image = await butlerImageOf(bundle, options);
  await engine.addImages([image]);
  await removeOtherArchives(archivesOf((await openToolCache()).directory), image.name);
  return image.name;
}

/**
 * Removes the archives of earlier bundles. Each change of the program has its own name and an archive that includes all
 * of Node; if kept, they would fill the disk of Butler's developers.
 */
export async function removeOtherArchives(folder: string, kept: string): Promise<void> {
  const { tag } = parseImageName(kept);
  const keptStart = archiveFileName(kept).replace(/tar$/, "");
  const start = keptStart.slice(0, -`${tag}.`.length);
  for (const entry of await readdir(folder)) {
    const isOfBundle = entry.startsWith(start) && /^[0-9a-f]{12}\./.test(entry.slice(start.length));
    if (isOfBundle && !entry.startsWith(keptStart)) await rm(join(folder, entry), { force: true });
  }
}
