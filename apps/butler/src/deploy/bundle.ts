import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Bug } from "@butler/std";
import { build, type Metafile } from "esbuild";
import { buildConsole } from "./console-files.ts";
import { bomFile, renderBom } from "./bom.ts";
import { type BundledPackage, findPackages, renderNotices } from "./notices.ts";

/** A file of a bundle; its path is relative to the bundle. */
export interface BundledFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** A program in a few files that require only Node. */
export interface Bundle {
  /** Sorted by path. */
  readonly files: readonly BundledFile[];
  /** esbuild's metadata about sources and outputs; output paths are those of `files`. */
  readonly outputs: Metafile["outputs"];
  /** The third-party packages in it. */
  readonly packages: readonly BundledPackage[];
}

/** Which program to bundle. */
export interface BundleRequest {
  /** The directory that paths in the bundle are relative to; its own path does not appear in the bundle. */
  readonly root: string;
  /** The entry module, relative to the root. It becomes `main.js`. */
  readonly entry: string;
  /** Additional files whose packages must be in the notices. */
  readonly furtherInputs?: readonly string[];
}

/** The bundle's entry file for Node. */
export const bundleMain = "main.js";

/** The file with the licenses of the packages in the bundle. */
export const bundleNotices = "THIRD-PARTY-NOTICES.txt";

const outputFolder = "bundle";

/** CommonJS packages require Node's built-in modules at run time, which plain ECMAScript modules cannot. */
const requireForPackages =
  'import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);';

/** Bundles `butler <role>` from this checkout, and the console that its server serves. */
export async function bundleButler(): Promise<Bundle> {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const pages = await buildConsole(root);
  const program = { root, entry: "apps/butler/src/main.ts", furtherInputs: pages.inputs };
  const { files, outputs, packages } = await bundleProgram(program);
  const licence = { path: "LICENSE", content: await readFile(join(root, "LICENSE")) };
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const bom = { path: bomFile, content: Buffer.from(renderBom({ name: "butler", version }, packages)) };
  return { files: sorted([...files, ...pages.files, licence, bom]), outputs, packages };
}

/**
 * Bundles a program, split at dynamic imports, with source maps and the notices of all included packages. The same
 * sources produce the same bytes in any directory.
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
    // Names are kept: they appear in errors, logs and stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: "linked",
    // A stack trace needs lines and names; the text is in the sources.
    sourcesContent: false,
    // The notices contain the full licenses, once each.
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
  return { files: sorted([...files, notices]), outputs: outputsOf(metafile), packages };
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
