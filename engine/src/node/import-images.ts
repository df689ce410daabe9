import { openToolCache } from "../ensure-tools.ts";
import { archivesOf, discardArchive, ensureArchive } from "../images/image-archives.ts";
import type { ImageDescription } from "../images/image-writer.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { runCommand } from "./run-command.ts";

/** A containerd into which images are imported. */
export interface ImageStore {
  readonly ctr: string;
  readonly socket: string;
  /** Directory of the archives, so that they are built only once. */
  readonly archives: string;
}

/** The image store of an engine. */
export async function imageStoreOf({ containerdSocket }: Pick<EnginePaths, "containerdSocket">): Promise<ImageStore> {
  const cache = await openToolCache();
  return { ctr: cache.pathOf("ctr"), socket: containerdSocket, archives: archivesOf(cache.directory) };
}

/** The namespace of containerd in which Kubernetes looks for images. */
const kubernetesNamespace = "k8s.io";

/** The names of the images that containerd holds. */
export async function listImages(store: ImageStore): Promise<string[]> {
  return [...(await imageDigests(store)).keys()];
}

/** Imports an archive that exists. */
export async function importArchive({ ctr, socket }: ImageStore, archive: string): Promise<void> {
  const verb = ["images", "import", "--local", archive];
  await runCommand([ctr, "--address", socket, "--namespace", kubernetesNamespace, ...verb]);
}

/** Makes sure that containerd has the images as described: builds and imports missing ones. */
export async function ensureImages(store: ImageStore, images: readonly ImageDescription[]): Promise<void> {
  const present = await imageDigests(store);
  for (const image of images) {
    const made = await ensureArchive(store.archives, image);
    if (present.get(image.name) === made.digest) continue;
    await importArchive(store, made.archive).catch(async () => {
      // A power loss may have damaged an earlier archive; rebuilding it is cheap.
      await discardArchive(made);
      await importArchive(store, (await ensureArchive(store.archives, image)).archive);
    });
  }
}

/** The images in containerd, by name. */
async function imageDigests({ ctr, socket }: ImageStore): Promise<Map<string, string>> {
  const output = await runCommand([ctr, "--address", socket, "--namespace", kubernetesNamespace, "images", "ls"]);
  const rows = output
    .split("\n")
    .slice(1)
    .map((line) => line.split(/\s+/));
  return new Map(
    rows.flatMap(([name = "", , digest = ""]) => (name === "" || name.startsWith("sha256:") ? [] : [[name, digest]])),
  );
}
