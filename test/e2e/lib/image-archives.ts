import { join } from "node:path";
import { bundleButler } from "@butler/butler/deploy";
import { butlerImageOf, engineImages, goPlatform, writeImageArchive } from "@butler/engine";

/** Archives of images on this machine. */
export interface ImageArchives {
  /** The name of Butler's own image. */
  readonly butler: string;
  readonly files: readonly string[];
}

/** Writes the images that Butler needs in an engine without tenants: its own image and that of the store. */
export async function writeImageArchives(directory: string): Promise<ImageArchives> {
  const own = await butlerImageOf((await bundleButler()).files);
  const files: string[] = [];
  for (const image of [own, ...(await engineImages(["etcd"]))]) {
    const output = join(directory, `image-${files.length}.tar`);
    await writeImageArchive({ ...image, architecture: goPlatform().arch, output });
    files.push(output);
  }
  return { butler: own.name, files };
}
