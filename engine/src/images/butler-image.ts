import { describeError, stableStringify } from "@butler/std";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { nonRootUser } from "./base-files.ts";
import { ensureTools, openToolCache } from "../ensure-tools.ts";
import { selectTools, toolsLock } from "../lock-file.ts";
import { helmRuntime, limitRuntime, nodeProgramPath, nodeRuntime } from "./butler-image-runtime.ts";
import { searchPath } from "./engine-images.ts";
import type { ImageConfig, ImageDescription } from "./image-writer.ts";
import { readLayers } from "./layer-contents.ts";
import { fileWith, type LayerEntry } from "./layer-entry.ts";
import { buildLimitProgram } from "./small-programs.ts";
import { writeTar } from "./tar-writer.ts";
import { ensureUserLand, type UserLandOptions } from "./user-land.ts";

/** A file of a bundle; its path is relative to the bundle. */
export interface BundledProgramFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The parts of the Butler image. */
export interface ButlerParts {
  /** Users, CA certificates and similar files. */
  readonly base: readonly LayerEntry[];
  /** Node and its libraries, and the programs that Butler runs: helm. */
  readonly runtime: readonly LayerEntry[];
  /** The program; Node is started with its `main.js`. */
  readonly bundle: readonly BundledProgramFile[];
}

/** Where the image is published. */
export const butlerRepository = "ghcr.io/butlerdotdev/butler";

const programFolder = "/app";

/** The entry point of the image: `butler`, with a role as its argument. */
const butlerImageConfig: ImageConfig = {
  entrypoint: [nodeProgramPath, `${programFolder}/main.js`],
  user: nonRootUser,
  workingDir: programFolder,
  // Node uses the image's own CA certificates, so that they can be replaced there.
  env: { PATH: searchPath, NODE_USE_SYSTEM_CA: "1" },
};

/**
 * All of Butler's processes: Node and helm in lower layers, which rarely change, and the bundle above, which changes.
 * The tag is derived from the contents, so that a name is never reused and a pod with a new name runs the new program.
 */
export async function butlerImage({ base, runtime, bundle }: ButlerParts): Promise<ImageDescription> {
  const layers = [
    [...base, ...runtime],
    bundle.map(({ path, content }) => fileWith(`${programFolder}/${path}`, content)),
  ];
  const tag = await contentDigest(layers, butlerImageConfig);
  return { name: `${butlerRepository}:${tag.slice(0, 12)}`, layers, config: butlerImageConfig };
}

/** Describes the image of a bundle with the Node and the libraries of this machine, and the engine's helm. */
export async function butlerImageOf(
  bundle: readonly BundledProgramFile[],
  options: Pick<UserLandOptions, "say"> = {},
): Promise<ImageDescription> {
  const { base } = await ensureUserLand(options);
  const { helm } = await ensureTools(["helm"]);
  const [tool] = selectTools(toolsLock, ["helm"]);
  const limit = await limitProgram(options.say);
  const limits = limit === undefined ? [] : limitRuntime(limit);
  const runtime = [...(await nodeRuntime()), ...helmRuntime(helm, tool?.version ?? ""), ...limits];
  return butlerImage({ base, runtime, bundle });
}

/** Without a compiler, Butler itself watches the memory of helm. */
async function limitProgram(say: UserLandOptions["say"]): Promise<string | undefined> {
  const output = join((await openToolCache()).directory, "limit-memory");
  try {
    if (!existsSync(output)) await buildLimitProgram({ output });
    return output;
  } catch (error) {
    say?.(describeError(error));
    return undefined;
  }
}

async function contentDigest(layers: readonly (readonly LayerEntry[])[], config: ImageConfig): Promise<string> {
  const hash = createHash("sha256").update(stableStringify(config));
  for (const entries of await readLayers(layers)) {
    for await (const chunk of writeTar(entries)) hash.update(chunk);
  }
  return hash.digest("hex");
}
