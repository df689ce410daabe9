import { isRecord } from "@butler/std";
import { cacheFolder } from "@butler/std/cache-folder";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { goPlatform, type Tool } from "./lock-file.ts";
import type { ToolSet } from "./tool-set.ts";

/** The first 16 hexadecimal digits of the SHA-256 over all inputs of the binaries. */
export function engineDigest(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, 16);
}

/** Reads the files that the digest of a set covers. */
export async function readDigest({ directory, digestedFiles }: Omit<ToolSet, "lock">): Promise<string> {
  return engineDigest(await Promise.all(digestedFiles.map((file) => readFile(join(directory, file)))));
}

/** The directory above all digests: `BUTLER_ENGINE_DIR`, or the user's cache. */
export function cacheRoot(environment: Readonly<Record<string, string | undefined>>): string {
  const { BUTLER_ENGINE_DIR: chosen } = environment;
  return chosen ? resolve(chosen) : cacheFolder(environment, "engine");
}

/** A manifest entry of an installed binary. */
export interface ManifestEntry {
  readonly version: string;
  readonly sha256: string;
  readonly size: number;
  readonly source: string;
}

interface Manifest {
  /** Operating system and CPU architecture, so that a home directory can be shared between platforms. */
  readonly platform: string;
  readonly tools: Readonly<Record<string, ManifestEntry>>;
}

/** A file that is about to become a cached binary. */
export interface Installation {
  readonly tool: Tool;
  readonly file: string;
  readonly source: string;
}

/** The binaries of one digest. A binary is valid only if the manifest lists it. */
export class ToolCache {
  readonly directory: string;
  readonly binDirectory: string;
  readonly lockPath: string;
  readonly #manifestPath: string;
  readonly #platform: string;
  #lastInstallation: Promise<void> = Promise.resolve();

  constructor(directory: string, platform = goPlatform()) {
    this.directory = directory;
    this.binDirectory = join(directory, "bin");
    this.lockPath = join(directory, "lock");
    this.#manifestPath = join(directory, "manifest.json");
    this.#platform = `${platform.os}/${platform.arch}`;
  }

  pathOf(name: string): string {
    return join(this.binDirectory, name);
  }

  /** The tools that are missing, have another size than recorded or, with verify, other content. */
  async findMissing(tools: readonly Tool[], options: { readonly verify?: boolean } = {}): Promise<Tool[]> {
    const manifest = await this.#readManifest();
    const verdicts = await Promise.all(
      tools.map((tool) => this.#isIntact(tool, manifest.tools[tool.name], options.verify === true)),
    );
    return tools.filter((_tool, at) => verdicts[at] !== true);
  }

  /** Moves a finished file into place and records it in the manifest. Only the owner of the lock may call this. */
  install(installation: Installation): Promise<void> {
    // Serialized: each call reads and rewrites the manifest.
    const install = (): Promise<void> => this.#install(installation);
    const done = this.#lastInstallation.then(install, install);
    this.#lastInstallation = done;
    return done;
  }

  async #install({ tool, file, source }: Installation): Promise<void> {
    await mkdir(this.binDirectory, { recursive: true });
    await chmod(file, 0o755);
    const [sha256, { size }] = await Promise.all([sha256OfFile(file), stat(file)]);
    const { tools } = await this.#readManifest();
    const { [tool.name]: _replaced, ...others } = tools;
    // Between the two writes the binary is not listed, so that a crash causes it to be replaced, never trusted.
    await this.#writeManifest(others);
    await rename(file, this.pathOf(tool.name));
    await this.#writeManifest({ ...others, [tool.name]: { version: tool.version, sha256, size, source } });
  }

  /** A new directory on the cache's own file system; removes leftovers of earlier lock owners. */
  async makeWorkDirectory(): Promise<string> {
    await mkdir(this.directory, { recursive: true });
    const leftovers = (await readdir(this.directory)).filter((entry) => /^(work-|manifest\.json\.\d)/.test(entry));
    await Promise.all(
      leftovers.map((entry) => rm(join(this.directory, entry), { recursive: true, force: true, maxRetries: 3 })),
    );
    return mkdtemp(join(this.directory, "work-"));
  }

  async #isIntact(tool: Tool, entry: ManifestEntry | undefined, verify: boolean): Promise<boolean> {
    if (entry?.version !== tool.version) return false;
    const path = this.pathOf(tool.name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || !found.isFile() || found.size !== entry.size) return false;
    return !verify || (await sha256OfFile(path)) === entry.sha256;
  }

  async #readManifest(): Promise<Manifest> {
    const empty = { platform: this.#platform, tools: {} };
    const text = await readFile(this.#manifestPath, "utf8").catch(() => "{}");
    try {
      const value: unknown = JSON.parse(text);
      const isOurs = isRecord(value) && value["platform"] === this.#platform && isRecord(value["tools"]);
      return isOurs ? (value as unknown as Manifest) : empty;
    } catch {
      return empty;
    }
  }

  async #writeManifest(tools: Manifest["tools"]): Promise<void> {
    const temporary = `${this.#manifestPath}.${process.pid}`;
    await writeFile(temporary, `${JSON.stringify({ platform: this.#platform, tools }, undefined, 2)}\n`);
    await rename(temporary, this.#manifestPath);
  }
}

/** The SHA-256 of a file's content in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
