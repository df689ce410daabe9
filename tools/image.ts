// `node tools/run.mjs image NAME --archive FILE`: writes one of Butler's images as an archive for `docker load`, `ctr
// images import` or a machine without a registry. With --layers FOLDER its layers are unpacked, each into a numbered
// directory; the Dockerfile of deploy/images uses that. No container runtime is needed.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { bundleButler } from "@butler/butler/deploy";
import {
  butlerImageOf,
  type EngineImageName,
  engineImageNames,
  engineImages,
  goPlatform,
  type ImageDescription,
  writeImageArchive,
} from "@butler/engine";

const run = promisify(execFile);
const engineNames = Object.keys(engineImageNames()) as EngineImageName[];

const { values, positionals } = parseArgs({
  options: { archive: { type: "string" }, layers: { type: "string" } },
  allowPositionals: true,
});
const isOneWay = (values.archive === undefined) !== (values.layers === undefined);
const image = isOneWay ? await describe(positionals[0]) : undefined;
if (image === undefined) {
  console.error(`usage: node tools/run.mjs image NAME --archive FILE | --layers FOLDER
where NAME is one of: butler, ${engineNames.join(", ")}`);
  process.exitCode = 2;
} else {
  if (values.archive !== undefined) await write(image, values.archive);
  if (values.layers !== undefined) await unpack(image, values.layers);
  console.log(image.name);
}

async function describe(name: string | undefined): Promise<ImageDescription | undefined> {
  const say = (sentence: string): void => console.error(`butler: ${sentence}`);
  if (name === "butler") return butlerImageOf((await bundleButler()).files, { say });
  const known = engineNames.find((each) => each === name);
  return known === undefined ? undefined : (await engineImages([known], { say }))[0];
}

async function write(description: ImageDescription, output: string) {
  return writeImageArchive({ ...description, architecture: goPlatform().arch, output });
}

async function unpack(description: ImageDescription, folder: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "butler-layers-"));
  try {
    const archive = join(scratch, "image.tar");
    const { layers } = await write(description, archive);
    await run("tar", ["--extract", "--file", archive, "--directory", scratch]);
    for (const [at, { digest }] of layers.entries()) {
      const layer = join(folder, String(at));
      await mkdir(layer, { recursive: true });
      const blob = join(scratch, "blobs", digest.replace(":", "/"));
      await run("tar", ["--extract", "--preserve-permissions", "--file", blob, "--directory", layer]);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
