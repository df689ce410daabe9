import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Bug } from "@butler/std";
import { build, type Metafile } from "esbuild";
import { buildConsole } from "./console-files.ts";
import { findPackages, renderNotices } from "./notices.ts";

/** A file of a bundle; its path is relative to the bundle. */
export interface BundledFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** A program in a few files that need nothing but Node. */
export interface Bundle {
  /** Sorted by path. */
  readonly files: readonly BundledFile[];
  /** What became of which source, as esbuild tells it: paths of outputs are those of `files`. */
  readonly outputs: Metafile["outputs"];
}

/** Which program to bundle. */
export interface BundleRequest {
  /** The folder that paths in the bundle are relative to; nothing of where it is gets into the bundle. */
  readonly root: string;
  /** The first module, relative to the root. It becomes `main.js`. */
  readonly entry: string;
  /** Files beside it whose packages belong into the notices, too. */
  readonly furtherInputs?: readonly string[];
}

/** The file of the bundle that Node is started with. */
export const bundleMain = "main.js";

/** The file of the bundle with the licences of the packages in it. */
export const bundleNotices = "THIRD-PARTY-NOTICES.txt";

const outputFolder = "bundle";

/** Packages in the older format ask for Node's own modules at run time, which plain ECMAScript modules cannot. */
const requireForPackages =
  'import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);';

/** Bundles `butler <role>` from this checkout, and the console that its server shows. */
export async function bundleButler(): Promise<Bundle> {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const pages = await buildConsole(root);
  const program = { root, entry: "apps/butler/src/main.ts", furtherInputs: pages.inputs };
  const { files, outputs } = await bundleProgram(program);
  const licence = { path: "LICENSE", content: await readFile(join(root, "LICENSE")) };
  return { files: sorted([...files, ...pages.files, licence]), outputs };
}

/**
 * Bundles a program, split where it imports dynamically, with source maps and the notices of all packages that got in.
 * The same sources give the same bytes, wherever they are.
 */
export async function bundleProgram({ root, entry, furtherInputs = [] }: BundleRequest): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: entry, out: "main" }],
    outdir: outputFolder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    banner: { js: requireForPackages },
    // Names stay: they are in errors, logs and stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: "linked",
    // A trace needs lines and names; whoever wants the text has the sources.
    sourcesContent: false,
    // The notices have the licences in full, once each.
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const files = outputFiles.map(({ path, contents }) => ({
    path: relative(join(root, outputFolder), path),
    content: contents,
  }));
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const packages = await findPackages(root, [...inputs, ...furtherInputs]);
  const notices = { path: bundleNotices, content: Buffer.from(renderNotices(packages)) };
  return { files: sorted([...files, notices]), outputs: outputsOf(metafile) };
}

function sorted(files: BundledFile[]): BundledFile[] {
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function outputsOf({ outputs }: Metafile): Metafile["outputs"] {
  const shorten = (path: string): string => {
    if (!path.startsWith(`${outputFolder}/`)) throw new Bug(`esbuild wrote ${path}, which is not in ${outputFolder}`);
    return path.slice(outputFolder.length + 1);
  };
  return Object.fromEntries(
    Object.entries(outputs).map(([path, output]) => [
      shorten(path),
      {
        ...output,
        imports: output.imports.map((each) => (each.external === true ? each : { ...each, path: shorten(each.path) })),
      },
    ]),
  );
}
