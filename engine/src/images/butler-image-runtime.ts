import { Unavailable } from "@butler/std";
import { posix } from "node:path";
import { type HostFiles, thisHost } from "./host-files.ts";
import { fileFrom, fileWith, type LayerEntry, programFrom } from "./layer-entry.ts";
import { planUserLand } from "./user-land-plan.ts";

/** Location of Node in an image. */
export const nodeProgramPath = "/usr/local/bin/node";

/** Location of helm in the Butler image; it is on the PATH there. */
export const helmProgramPath = "/usr/local/bin/helm";

/** Which Node to include, and from which machine; by default that of this process. */
export interface NodeRuntimeOptions {
  readonly host?: HostFiles;
  readonly program?: string;
}

/** The plan looks for programs only in a distribution's directories; Node is mapped there, wherever it is. */
const shownAt = ["/usr/sbin/node", "/usr/bin/node"];

/** Searched by every dynamic linker by default; Debian-based systems have a directory per architecture below them. */
const searchedAnyway = /^(\/usr)?\/lib(64|\/[a-z0-9_]+-linux-gnu[a-z0-9_]*)?$/;
const linkerCache = "/etc/ld.so.cache";

/** Node's own archives include its license next to the program; npm's package does not. */
const nodeLicence = `Node.js is licensed under the terms at https://github.com/nodejs/node/blob/${process.version}/LICENSE\n`;

/** Debian packages of Node's libraries; their licenses require redistribution. */
const libraryPackages = ["libc6", "libgcc-s1", "libstdc++6"];

/**
 * Node and its libraries, without files of a distribution. The layer depends only on these files, so that it does not
 * change when other programs are installed or removed on the build machine.
 */
export async function nodeRuntime(options: NodeRuntimeOptions = {}): Promise<LayerEntry[]> {
  const { host = thisHost, program = process.execPath } = options;
  const wish = { programs: [{ name: "node", package: "nodejs", isOptional: false }], pluginFolders: [] };
  const { entries, missingLibraries } = await planUserLand(showing(host, program), wish);
  const [missing] = missingLibraries;
  if (missing !== undefined) {
    throw new Unavailable(`${program} requires ${missing.name}, which was not found on this system`, {
      hint: "Reinstall Node.js.",
    });
  }
  const libraries = entries.filter(({ path }) => !shownAt.includes(path) && path !== linkerCache);
  const isFoundByItself = libraries.every(
    (entry) => entry.kind !== "source-file" || searchedAnyway.test(posix.dirname(entry.path)),
  );
  return [
    programFrom(program, nodeProgramPath),
    ...libraries,
    // It changes with every installed package, so it is included only if a library would not be found without it.
    ...(isFoundByItself ? [] : entries.filter(({ path }) => path === linkerCache)),
    fileWith("/usr/share/doc/node/copyright", nodeLicence),
    ...(await licences(host)),
  ];
}

/** Location of the program that limits helm's memory. */
export const limitProgramPath = "/usr/local/bin/limit-memory";

/** The program that limits helm's memory; a single file without dependencies. */
export function limitRuntime(program: string): LayerEntry[] {
  return [programFrom(program, limitProgramPath)];
}

/** helm, a single file without dependencies, and its license. */
export function helmRuntime(program: string, version: string): LayerEntry[] {
  const licence = `Helm is licensed under the terms at https://github.com/helm/helm/blob/${version}/LICENSE\n`;
  return [programFrom(program, helmProgramPath), fileWith("/usr/share/doc/helm/copyright", licence)];
}

function showing(host: HostFiles, program: string): HostFiles {
  const real = (path: string): string => (shownAt.includes(path) ? program : path);
  return {
    ...host,
    findFile: async (path) => (shownAt.includes(path) ? "file" : host.findFile(path)),
    readElf: (path) => host.readElf(real(path)),
    readInterpreterLine: (path) => host.readInterpreterLine(real(path)),
  };
}

async function licences(host: HostFiles): Promise<LayerEntry[]> {
  const found: LayerEntry[] = [];
  for (const name of libraryPackages) {
    const path = `/usr/share/doc/${name}/copyright`;
    if ((await host.findFile(path)) !== undefined) found.push(fileFrom(path, path, 0o644));
  }
  return found;
}
