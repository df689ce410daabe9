import { copyFile, mkdir, mkdtemp, open, readdir, rename, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { ensureTools, openToolCache } from "../../ensure-tools.ts";
import type { ToolCache } from "../../cache.ts";
import { localEngineTools } from "../../tool-groups.ts";

/** A copy of the real cache that can be damaged. Its programs are links, so that the real ones are not changed. */
export class CacheCopy {
  readonly environment: NodeJS.ProcessEnv;
  readonly real: ToolCache;
  readonly cache: ToolCache;

  static async create(folder: string): Promise<CacheCopy> {
    await ensureTools(localEngineTools);
    const root = await mkdtemp(join(folder, "cache-"));
    const environment = { ...process.env, BUTLER_ENGINE_DIR: root, BUTLER_ENGINE_SOURCES: "archive", NO_PROXY: "*" };
    const copy = new CacheCopy(environment, await openToolCache(), await openToolCache(environment));
    await copy.#fill();
    return copy;
  }

  private constructor(environment: NodeJS.ProcessEnv, real: ToolCache, cache: ToolCache) {
    this.environment = environment;
    this.real = real;
    this.cache = cache;
  }

  async #fill(): Promise<void> {
    await mkdir(this.cache.binDirectory, { recursive: true });
    for (const name of await readdir(this.real.binDirectory)) {
      await symlink(this.real.pathOf(name), this.cache.pathOf(name));
    }
    await copyFile(join(this.real.directory, "manifest.json"), join(this.cache.directory, "manifest.json"));
  }

  /** Truncates a program, as a full disk or a power loss does. */
  async truncate(name: string): Promise<void> {
    await this.#replace(name, (file) => truncate(file, 1_000_000));
  }

  /** Inverts the first bytes of a program and keeps its size. */
  async corrupt(name: string): Promise<void> {
    await this.#replace(name, async (file) => {
      const handle = await open(file, "r+");
      const bytes = Buffer.alloc(64);
      await handle.read(bytes, 0, bytes.length, 0);
      await handle.write(
        bytes.map((byte) => byte ^ 0xff),
        0,
        bytes.length,
        0,
      );
      await handle.close();
    });
  }

  async #replace(name: string, change: (file: string) => Promise<void>): Promise<void> {
    const file = `${this.cache.pathOf(name)}.changing`;
    await copyFile(this.real.pathOf(name), file);
    await change(file);
    await rename(file, this.cache.pathOf(name));
  }
}
