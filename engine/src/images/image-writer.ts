import { stableStringify } from "@butler/std";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { isProcessAlive } from "../process-identity.ts";
import { ArchiveFile, type Blob } from "./archive-file.ts";
import { parseImageName } from "./image-name.ts";
import { readLayers } from "./layer-contents.ts";
import type { LayerEntry } from "./layer-entry.ts";
import { type TarEntry, writeTar } from "./tar-writer.ts";

/** How a container of the image starts; unset fields are left to the pod. */
export interface ImageConfig {
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `uid`, or `uid:gid`. */
  readonly user?: string;
  readonly workingDir?: string;
  /** Such as `53/udp`. */
  readonly exposedPorts?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The stop signal; SIGTERM by default. */
  readonly stopSignal?: string;
}

/** The content of an image, independent of where it is written. */
export interface ImageDescription {
  /** Fully qualified, as referenced by pods. */
  readonly name: string;
  /** From the lowest to the highest. */
  readonly layers: readonly (readonly LayerEntry[])[];
  readonly config: ImageConfig;
}

/** An image, and the archive to write. */
export interface ImageArchive extends ImageDescription {
  /** The CPU architecture in Go's spelling: `amd64`, `arm64`. */
  readonly architecture: string;
  /** The file to write; its directory is created. */
  readonly output: string;
  /**
   * Compress layers fast (gzip, level 1). Off by default: imports on the same machine do not benefit from it, and the
   * bytes then depend on the version of zlib, too.
   */
  readonly gzip?: boolean;
}

/** The written blobs; digests as `sha256:…`. */
export interface WrittenImage {
  readonly name: string;
  readonly output: string;
  readonly manifestDigest: string;
  /** The image ID of container runtimes. */
  readonly configDigest: string;
  readonly layers: readonly WrittenLayer[];
}

/** A layer: its digest in the manifest (`digest`) and the digest of its uncompressed content (`diffId`). */
export interface WrittenLayer extends Blob {
  readonly diffId: string;
}

const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar",
  gzipLayer: "application/vnd.oci.image.layer.v1.tar+gzip",
} as const;

const epoch = "1970-01-01T00:00:00Z";

/**
 * Writes an image as one archive: an OCI image layout, with the `manifest.json` of `docker save` for tools that only
 * support that. The same description produces the same bytes. The file appears under its name only when it is complete.
 */
export async function writeImageArchive(image: ImageArchive): Promise<WrittenImage> {
  parseImageName(image.name);
  const layers = await readLayers(image.layers);
  await mkdir(dirname(image.output), { recursive: true });
  await removeAbandoned(image.output);
  const partial = `${image.output}.${process.pid}-${randomBytes(4).toString("hex")}.partial`;
  try {
    const written = await writePartial(partial, image, layers);
    await rename(partial, image.output);
    return written;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function writePartial(partial: string, image: ImageArchive, layers: TarEntry[][]): Promise<WrittenImage> {
  const file = await open(partial, "wx");
  try {
    return await writeLayout(new ArchiveFile(file), image, layers);
  } finally {
    await file.close();
  }
}

async function writeLayout(archive: ArchiveFile, image: ImageArchive, layers: TarEntry[][]): Promise<WrittenImage> {
  const written: WrittenLayer[] = [];
  for (const entries of layers) written.push(await writeLayer(archive, entries, image.gzip === true));
  const config = await addJson(archive, imageConfig(image, written));
  const manifest = await addJson(archive, imageManifest(image, config, written));
  await archive.addFile("index.json", stableStringify(imageIndex(image, manifest)));
  await archive.addFile("manifest.json", stableStringify([dockerManifest(image, config, written)]));
  await archive.addFile("oci-layout", stableStringify({ imageLayoutVersion: "1.0.0" }));
  await archive.finish();
  return {
    name: image.name,
    output: image.output,
    manifestDigest: manifest.digest,
    configDigest: config.digest,
    layers: written,
  };
}

async function writeLayer(archive: ArchiveFile, entries: TarEntry[], gzip: boolean): Promise<WrittenLayer> {
  if (!gzip) {
    const blob = await archive.addBlob(writeTar(entries));
    return { ...blob, diffId: blob.digest };
  }
  const plain = createHash("sha256");
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of writeTar(entries)) {
      plain.update(chunk);
      yield chunk;
    }
  }
  const blob = await pipeline(hashed, createGzip({ level: 1 }), (compressed: AsyncIterable<Buffer>) =>
    archive.addBlob(compressed),
  );
  return { ...blob, diffId: `sha256:${plain.digest("hex")}` };
}

function addJson(archive: ArchiveFile, value: unknown): Promise<Blob> {
  return archive.addBlob([Buffer.from(stableStringify(value))]);
}

function imageConfig({ architecture, config }: ImageArchive, layers: readonly WrittenLayer[]): unknown {
  return {
    created: epoch,
    architecture,
    os: "linux",
    config: {
      Entrypoint: config.entrypoint,
      Cmd: config.cmd,
      Env: config.env && Object.entries(config.env).map(([name, value]) => `${name}=${value}`),
      User: config.user,
      WorkingDir: config.workingDir,
      ExposedPorts: config.exposedPorts && Object.fromEntries(config.exposedPorts.map((port) => [port, {}])),
      Labels: config.labels,
      StopSignal: config.stopSignal,
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created: epoch, created_by: "butler" })),
  };
}

function imageManifest({ gzip }: ImageArchive, config: Blob, layers: readonly WrittenLayer[]): unknown {
  const mediaType = gzip === true ? mediaTypes.gzipLayer : mediaTypes.layer;
  return {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: { mediaType: mediaTypes.config, ...config },
    layers: layers.map(({ digest, size }) => ({ mediaType, digest, size })),
  };
}

function imageIndex({ name, architecture }: ImageArchive, manifest: Blob): unknown {
  const annotations = { "io.containerd.image.name": name, "org.opencontainers.image.ref.name": name };
  const platform = { architecture, os: "linux" };
  return {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ mediaType: mediaTypes.manifest, ...manifest, platform, annotations }],
  };
}

function dockerManifest({ name }: ImageArchive, config: Blob, layers: readonly WrittenLayer[]): unknown {
  const pathOf = ({ digest }: Blob): string => `blobs/${digest.replace(":", "/")}`;
  return { Config: pathOf(config), RepoTags: [name], Layers: layers.map(pathOf) };
}

/** Removes leftovers of processes that were killed while writing the same archive. */
async function removeAbandoned(output: string): Promise<void> {
  const [folder, name] = [dirname(output), basename(output)];
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}.`) || !entry.endsWith(".partial")) continue;
    const pid = Number.parseInt(entry.slice(name.length + 1), 10);
    if (isProcessAlive({ pid, host: hostname() }) === false) await rm(join(folder, entry), { force: true });
  }
}
