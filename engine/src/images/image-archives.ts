import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { arch } from "node:os";
import { join } from "node:path";
import { imageFingerprint } from "./image-fingerprint.ts";
import { archiveFileName } from "./image-name.ts";
import { type ImageDescription, writeImageArchive } from "./image-writer.ts";

/** An image as a file on this machine. */
export interface ArchivedImage {
  readonly name: string;
  readonly archive: string;
  /** The digest by which a container runtime distinguishes it from another image of the same name. */
  readonly digest: string;
}

/** Directory of the archives of images that were built from the programs of a cache. */
export function archivesOf(cacheDirectory: string): string {
  return join(cacheDirectory, "images");
}

const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * The archive of an image in a directory, built if it is missing. An archive of the same name built from other files is
 * replaced, so that a changed program or script is always included.
 */
export async function ensureArchive(folder: string, image: ImageDescription): Promise<ArchivedImage> {
  const fileName = archiveFileName(image.name);
  const stem = fileName.replace(/\.tar$/, "");
  const fingerprint = await imageFingerprint(image);
  const output = join(folder, `${stem}.${fingerprint}.tar`);
  const note = noteOf(output);
  const digest = await readFile(note, "utf8").catch(() => undefined);
  if (digest !== undefined) return { name: image.name, archive: output, digest };
  await mkdir(folder, { recursive: true });
  const written = await writeImageArchive({ ...image, architecture: architectures[arch()] ?? arch(), output });
  // Written last: an archive with this file is complete.
  await writeFile(note, written.manifestDigest);
  await removeEarlier(folder, stem, fingerprint);
  return { name: image.name, archive: output, digest: written.manifestDigest };
}

/** Removes an archive, so that it is rebuilt. */
export async function discardArchive({ archive }: ArchivedImage): Promise<void> {
  for (const file of [noteOf(archive), archive]) await rm(file, { force: true });
}

function noteOf(archive: string): string {
  return `${archive}.digest`;
}

async function removeEarlier(folder: string, stem: string, fingerprint: string): Promise<void> {
  const isEarlier = new RegExp(`^\\.(?!${fingerprint})[0-9a-f]{16}\\.tar(\\.digest)?$`);
  for (const entry of await readdir(folder)) {
    if (entry.startsWith(stem) && isEarlier.test(entry.slice(stem.length))) await rm(join(folder, entry));
  }
}
