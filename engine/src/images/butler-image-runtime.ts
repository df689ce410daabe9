import { Unavailable } from "@butler/std";
import { posix } from "node:path";
import { type HostFiles, thisHost } from "./host-files.ts";
import { fileFrom, fileWith, type LayerEntry, programFrom } from "./layer-entry.ts";
import { planUserLand } from "./user-land-plan.ts";

/** Where Node is in an image. */
export const nodeProgramPath = "/usr/local/bin/node";

/** Where helm is in the image of Butler's own processes; it is on the search path there. */
export const helmProgramPath = "/usr/local/bin/helm";

/** Which Node to take along, and from which machine; this process's own by default. */
export interface NodeRuntimeOptions {
  readonly host?: HostFiles;
  readonly program?: string;
}

/** The plan looks for programs in a distribution's folders only; Node is shown to it there, wherever it really is. */
const shownAt = ["/usr/sbin/node", "/usr/bin/node"];

/** Searched by every dynamic linker without being told; Debian's relatives have a folder per processor below them. */
const searchedAnyway = /^(\/usr)?\/lib(64|\/[a-z0-9_]+-linux-gnu[a-z0-9_]*)?$/;
const linkerCache = "/etc/ld.so.cache";

/** Node's own archives have its licence beside the program; npm's package has not. */
const nodeLicence = `Node.js is under the terms at https://github.com/nodejs/node/blob/${process.version}/LICENSE\n`;

/** Debian's packages of the libraries that Node names; their licences ask to be passed on with them. */
const libraryPackages = ["libc6", "libgcc-s1", "libstdc++6"];

/**
 * Node and the libraries that it names, with nothing of a distribution besides. The layer depends on these files alone,
 * so that it stays the same while programs come and go on the machine it is made on.
 */
export async function nodeRuntime(options: NodeRuntimeOptions = {}): Promise<LayerEntry[]> {
  const { host = thisHost, program = process.execPath } = options;
  const wish = { programs: [{ name: "node", package: "nodejs", isOptional: false }], pluginFolders: [] };
  const { entries, missingLibraries } = await planUserLand(showing(host, program), wish);
  const [missing] = missingLibraries;
  if (missing !== undefined) {
    throw new Unavailable(`${program} needs ${missing.name}, which this system lacks`, {
      hint: "Repair the installation of Node.js.",
    });
  }
  const libraries = entries.filter(({ path }) => !shownAt.includes(path) && path !== linkerCache);
  const isFoundByItself = libraries.every(
    (entry) => entry.kind !== "source-file" || searchedAnyway.test(posix.dirname(entry.path)),
  );
  return [
    programFrom(program, nodeProgramPath),
    ...libraries,
    // It changes with whatever is installed, so it is taken along only where a library would not be found without.
    ...(isFoundByItself ? [] : entries.filter(({ path }) => path === linkerCache)),
    fileWith("/usr/share/doc/node/copyright", nodeLicence),
    ...(await licences(host)),
  ];
}

/** helm, which is one file that needs nothing else, and its terms. */
export function helmRuntime(program: string, version: string): LayerEntry[] {
  const licence = `Helm is under the terms at https://github.com/helm/helm/blob/${version}/LICENSE\n`;
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
