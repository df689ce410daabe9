import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, isRecord } from "@butler/std";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { planEviction, type StoredFile } from "./eviction.ts";
import type { FetchLimits } from "./limits.ts";

/** What a folder needs to know. */
export interface ContentFolderOptions {
  readonly folder: string;
  readonly limits: FetchLimits;
  readonly clock: Clock;
}

const leftoverMs = 3_600_000;
/** How many times its size a folder may grow to when all that is in it is in use. */
const fullAt = 4;

/**
 * Files under the digest of their content. Several processes may share a folder: a file appears whole or not at all, and
 * the time of its last use stands in the file system for all of them to see.
 */
export class ContentFolder {
  readonly #options: ContentFolderOptions;
  readonly #incoming: string;
  readonly #content: string;
  #ready: Promise<void> | undefined;
  #evicting: Promise<number> = Promise.resolve(0);

  constructor(options: ContentFolderOptions) {
    this.#options = options;
    this.#incoming = join(options.folder, "incoming");
    this.#content = join(options.folder, "sha256");
  }

  /** A path where something may be written that is not known yet. */
  async newPath(): Promise<string> {
    await this.#prepared();
    return join(this.#incoming, randomUUID());
  }

  /** Gives a file that has been written its place. The same content twice is one file. */
  async adopt(path: string, digest: string): Promise<string> {
    const place = this.#placeOf(digest);
    await this.#touch(path);
    await rename(path, place);
    // One after the other; that one has failed is told to whom it failed for.
    const evicting = this.#evicting.catch(() => 0).then(() => this.#evict());
    this.#evicting = evicting;
    if ((await evicting) <= this.#options.limits.storeBytes * fullAt) return place;
    await rm(place, { force: true });
    throw new ChartUnavailable("RepositoryTooLarge", "there is no room for more charts: those in use fill the folder", {
      hint: "Wait until charts have been out of use for a while, or give the folder more room.",
      isPassing: true,
    });
  }

  /** Finds content and marks it as used. What is damaged is removed and counts as not found. */
  async find(digest: string): Promise<string | undefined> {
    await this.#prepared();
    const place = this.#placeOf(digest);
    try {
      // First, so that nobody removes it while it is being read.
      await this.#touch(place);
      if ((await digestOfFile(place)) === digest) return place;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    await rm(place, { force: true });
    return undefined;
  }

  #placeOf(digest: string): string {
    return join(this.#content, `${digest.replace(/^sha256:/, "")}.tgz`);
  }

  #prepared(): Promise<void> {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Charts may be secret, and what a broken-off process has left is of no use. */
  async #prepare(): Promise<void> {
    for (const folder of [this.#options.folder, this.#incoming, this.#content]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    await chmod(this.#options.folder, 0o700);
    const before = this.#options.clock.now().getTime() - leftoverMs;
    for (const { path, usedMs } of await filesIn(this.#incoming)) if (usedMs < before) await rm(path, { force: true });
  }

  async #touch(path: string): Promise<void> {
    const now = this.#options.clock.now();
    await utimes(path, now, now);
  }

  /** Gives how much is left. */
  async #evict(): Promise<number> {
    const { clock, limits } = this.#options;
    const limit = { bytes: limits.storeBytes, unusedSinceMs: clock.now().getTime() - limits.inUseMs };
    const files = await filesIn(this.#content);
    let left = files.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes, usedMs } of planEviction(files, limit)) {
      // Another process may have begun to use it a moment ago.
      if ((await fileAt(path))?.usedMs !== usedMs) continue;
      await rm(path, { force: true });
      left -= bytes;
    }
    return left;
  }
}

async function filesIn(folder: string): Promise<readonly StoredFile[]> {
  const files = await Promise.all((await readdir(folder)).map((name) => fileAt(join(folder, name))));
  return files.filter((file) => file !== undefined);
}

async function fileAt(path: string): Promise<StoredFile | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { path, bytes: size, usedMs: mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return `sha256:${hash.digest("hex")}`;
}

function isMissing(error: unknown): boolean {
  return isRecord(error) && error["code"] === "ENOENT";
}
