import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "../../testing/temporary-directory.ts";

const run = promisify(execFile);

/** An image archive as the system's own tar unpacks it. */
export interface ImageLayout {
  readonly directory: string;
  /** The content of a JSON file beside the blobs. */
  readJson(path: string): Promise<unknown>;
  /** The content of a JSON blob. */
  readBlob(digest: string): Promise<unknown>;
  /** Every blob, by its name and by the digest of its content. */
  blobDigests(): Promise<{ named: string; actual: string }[]>;
  blobPath(digest: string): string;
}

/** Unpacks an archive for the running test. */
export async function unpackImageLayout(archive: string): Promise<ImageLayout> {
  const directory = await unpackTar(archive);
  const blobPath = (digest: string): string => join(directory, "blobs", digest.replace(":", "/"));
  const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, "utf8"));
  return {
    directory,
    blobPath,
    readJson: (path) => readJson(join(directory, path)),
    readBlob: (digest) => readJson(blobPath(digest)),
    blobDigests: async () => {
      const names = await readdir(join(directory, "blobs/sha256"));
      return Promise.all(
        names.map(async (named) => {
          const content = await readFile(join(directory, "blobs/sha256", named));
          return { named, actual: createHash("sha256").update(content).digest("hex") };
        }),
      );
    },
  };
}

/** Unpacks a tar file with the system's tar, links and modes included, and gives the directory. */
export async function unpackTar(archive: string, into?: string): Promise<string> {
  const directory = into ?? (await temporaryDirectory());
  await mkdir(directory, { recursive: true });
  await run("tar", ["--extract", "--preserve-permissions", "--file", archive, "--directory", directory]);
  return directory;
}
