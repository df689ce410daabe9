import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveOf, smallChart } from "./archives.ts";
import type { OciRegistry } from "./oci-registry.ts";

/** A chart repository served from a folder, which tests can change. */
export interface RepositoryFolder {
  readonly folder: string;
  /** Adds a version and rewrites the index; returns the digest of the archive. */
  add(version: string, options?: AddOptions): Promise<string>;
  remove(): Promise<void>;
}

/** How a version is listed. */
export interface AddOptions {
  readonly name?: string;
  readonly archive?: Buffer;
  /** URL in the index, instead of the file name. */
  readonly url?: string;
  /** Digest in the index, instead of the real one; null for none. */
  readonly digest?: string | null;
}

/** Creates an empty folder to serve. */
export async function createRepositoryFolder(): Promise<RepositoryFolder> {
  const folder = await mkdtemp(join(tmpdir(), "butler-repository-"));
  const entries: Record<string, object[]> = {};
  const write = (): Promise<void> =>
    writeFile(join(folder, "index.yaml"), JSON.stringify({ apiVersion: "v1", entries }));
  await write();
  return {
    folder,
    add: async (version, { name = "web", archive = archiveOf(smallChart({ name, version })), url, digest } = {}) => {
      const file = `${name}-${version}.tgz`;
      const hash = createHash("sha256").update(archive).digest("hex");
      await mkdir(join(folder, "charts"), { recursive: true });
      await writeFile(join(folder, "charts", file), archive);
      const listed = digest === null ? {} : { digest: digest ?? hash };
      (entries[name] ??= []).push({ name, version, urls: [url ?? `charts/${file}`], ...listed });
      await write();
      return `sha256:${hash}`;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Adds a chart to a registry without an upload, so that it can be invalid; returns the digest of the archive. */
export function putChart(
  registry: OciRegistry,
  version: string,
  { path = "charts/web", archive = archiveOf(smallChart({ version })), manifest = {} } = {},
): string {
  const digest = `sha256:${createHash("sha256").update(archive).digest("hex")}`;
  registry.blobs.set(digest, archive);
  const mediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
  const whole = {
    schemaVersion: 2,
    config: { mediaType: "application/vnd.cncf.helm.config.v1+json", digest: `sha256:${"0".repeat(64)}`, size: 2 },
    layers: [{ mediaType, digest, size: archive.length }],
    ...manifest,
  };
  const type = "application/vnd.oci.image.manifest.v1+json";
  registry.manifests.set(`${path}:${version.replaceAll("+", "_")}`, {
    type,
    content: Buffer.from(JSON.stringify(whole)),
  });
  return digest;
}
