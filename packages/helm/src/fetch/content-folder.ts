import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, isRecord } from "@butler/std";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { planEviction, type StoredFile } from "./eviction.ts";
import type { FetchLimits } from "./limits.ts";

/** Options of a content folder. */
export interface ContentFolderOptions {
  readonly folder: string;
  readonly limits: FetchLimits;
  readonly clock: Clock;
}

const leftoverMs = 3_600_000;
/** How many times its limit a folder may reach while all content is in use. */
const fullAt = 4;

/**
 * Content-addressed files. Several processes may share a folder: files appear atomically, and the time of last use is their
 * mtime.
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

  /** A temporary path for a new file. */
  async newPath(): Promise<string> {
    await this.#prepared();
    return join(this.#incoming, randomUUID());
  }

  /** Moves a written file to its place. The same content is stored once. */
  async adopt(path: string, digest: string): Promise<string> {
    const place = this.#placeOf(digest);
    await this.#touch(path);
    await rename(path, place);
    // Serialized; a failed eviction is reported to the caller that started it.
    const evicting = this.#evicting.catch(() => 0).then(() => this.#evict());
    this.#evicting = evicting;
    if ((await evicting) <= this.#options.limits.storeBytes * fullAt) return place;
    await rm(place, { force: true });
    throw new ChartUnavailable("RepositoryTooLarge", "the chart cache is full: all cached charts are in use", {
      hint: "Butler retries automatically once charts are no longer in use.",
      isPassing: true,
    });
  }

  /** Finds content and marks it as used. Damaged content is removed and counts as not found. */
  async find(digest: string): Promise<string | undefined> {
    await this.#prepared();
    const place = this.#placeOf(digest);
    try {
      // First, so that no other process removes it while it is being read.
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

  /** Charts may be secret, and leftovers of a crashed process are removed. */
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

  /** Returns the remaining size. */
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
