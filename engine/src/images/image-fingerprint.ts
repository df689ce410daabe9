import { stableStringify } from "@butler/std";
import { createHash } from "node:crypto";
import type { ImageDescription } from "./image-writer.ts";
import { readLayers } from "./layer-contents.ts";
import type { TarEntry } from "./tar-writer.ts";

/**
 * A string that changes whenever an image would change: computed from the configuration, small contents, and the size
 * and modification time of the files that are copied from this machine. Reading those completely would take as long as
 * writing the image.
 */
export async function imageFingerprint({ layers, config }: ImageDescription): Promise<string> {
  const hash = createHash("sha256").update(stableStringify(config));
  for (const entries of await readLayers(layers)) {
    hash.update("layer\n");
    for (const entry of entries) hash.update(`${await describe(entry)}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

async function describe(entry: TarEntry): Promise<string> {
  switch (entry.type) {
    case "symlink":
      return JSON.stringify([entry.type, entry.path, entry.target]);
    case "directory":
      return JSON.stringify([entry.type, entry.path, entry.mode]);
    case "file":
      return JSON.stringify([entry.type, entry.path, entry.mode, entry.stamp ?? (await contentDigest(entry.read()))]);
  }
}

async function contentDigest(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}
