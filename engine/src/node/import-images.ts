import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { arch } from "node:os";
import { join } from "node:path";
import { openToolCache } from "../ensure-tools.ts";
import { archiveFileName } from "../images/image-name.ts";
import { type ImageDescription, writeImageArchive } from "../images/image-writer.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { runCommand } from "./run-command.ts";

/** A containerd that images are put into. */
export interface ImageStore {
  readonly ctr: string;
  readonly socket: string;
  /** Where archives are kept, so that they need be made only once. */
  readonly archives: string;
}

/** The image store of an engine. */
export async function imageStoreOf({ containerdSocket }: Pick<EnginePaths, "containerdSocket">): Promise<ImageStore> {
  const cache = await openToolCache();
  return { ctr: cache.pathOf("ctr"), socket: containerdSocket, archives: join(cache.directory, "images") };
}

/** The namespace of containerd in which Kubernetes looks for images. */
const kubernetesNamespace = "k8s.io";

const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** The names of the images that containerd holds. */
export async function listImages({ ctr, socket }: ImageStore): Promise<string[]> {
  const output = await runCommand([ctr, "--address", socket, "--namespace", kubernetesNamespace, "images", "ls", "-q"]);
  return output.split("\n").filter((name) => name !== "" && !name.startsWith("sha256:"));
}

/** Imports an archive that exists. */
export async function importArchive({ ctr, socket }: ImageStore, archive: string): Promise<void> {
  await runCommand([
    ctr,
    "--address",
    socket,
    "--namespace",
    kubernetesNamespace,
    "images",
    "import",
    "--local",
    archive,
  ]);
}

/** Makes sure that containerd holds the images: makes and imports those that it lacks. */
export async function ensureImages(store: ImageStore, images: readonly ImageDescription[]): Promise<void> {
  const present = new Set(await listImages(store));
  for (const image of images) {
    if (present.has(image.name)) continue;
    await importArchive(store, await ensureArchive(store, image));
  }
}

async function ensureArchive({ archives }: ImageStore, image: ImageDescription): Promise<string> {
  const output = join(archives, archiveFileName(image.name));
  if (existsSync(output)) return output;
  await mkdir(archives, { recursive: true });
  const partial = `${output}.partial-${process.pid}`;
  await writeImageArchive({ ...image, architecture: architectures[arch()] ?? arch(), output: partial });
  await rename(partial, output);
  return output;
}
