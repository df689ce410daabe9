import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openToolCache } from "../ensure-tools.ts";
import { type BundledProgramFile, butlerImageOf } from "./butler-image.ts";
import { archivesOf } from "./image-archives.ts";
import { archiveFileName, parseImageName } from "./image-name.ts";
import type { ImageDescription } from "./image-writer.ts";

/** An engine that takes images in. */
export interface ImageTaker {
  readonly addImages: (images: readonly ImageDescription[]) => Promise<void>;
}

/** Puts the image of a bundle into an engine, and gives the name under which pods find it there. */
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
 * Removes the archives of earlier bundles. Each change of the program has a name of its own and an archive with all of
 * Node in it; kept, they would fill the disk of whoever works on Butler.
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
