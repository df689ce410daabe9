import { posix } from "node:path";
import type { ElfFile } from "./elf-file.ts";
import type { HostFiles } from "./host-files.ts";
import { fileFrom, type LayerEntry, symlink } from "./layer-entry.ts";
import { findLibraryDirectories } from "./library-directories.ts";
import type { UserLandProgram, UserLandWish } from "./user-land-programs.ts";

/** The files of a machine that an image needs, and what is missing on the machine. */
export interface UserLandPlan {
  readonly entries: readonly LayerEntry[];
  readonly missingPrograms: readonly UserLandProgram[];
  readonly missingLibraries: readonly MissingLibrary[];
}

/** A library that a program requires and the machine does not have. */
export interface MissingLibrary {
  readonly name: string;
  readonly neededBy: string;
}

/** Only the distribution's own directories: files below /usr/local are not maintained by it. */
const programFolders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];
/** Links on a merged-/usr system; scripts and loaders rely on them. */
const rootFolders = ["/bin", "/sbin", "/lib", "/lib64"];
/** Loaded by the C library itself, by name: name service modules (before glibc 2.34) and thread cancellation. */
const loadedByName = ["libnss_files.so.2", "libnss_dns.so.2", "libgcc_s.so.1"];
const linkerCache = "/etc/ld.so.cache";
const alternatives = "/etc/alternatives/";

/**
 * Determines the files of a machine that make up a small user-land: the requested programs, the libraries that they and
 * their plugins require, and every link on the path. Each file keeps its path, so that programs work in the image as
 * on the machine.
 */
export async function planUserLand(host: HostFiles, wish: UserLandWish): Promise<UserLandPlan> {
  const plan = new Collection(remembering(host), await findLibraryDirectories(host));
  for (const folder of rootFolders) await plan.follow(folder);
  for (const program of wish.programs) await plan.addProgram(program);
  for (const name of loadedByName) await plan.addLibraryOfSameMachine(name);
  for (const folder of wish.pluginFolders) await plan.addPlugins(folder);
  await plan.addFile(linkerCache);
  return plan.result();
}

/** Nearly every program resolves to the same few links and libraries. */
function remembering(host: HostFiles): HostFiles {
  return { ...host, findFile: once(host.findFile), readElf: once(host.readElf) };
}

function once<T>(read: (path: string) => Promise<T>): (path: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (path) => {
    const answer = known.get(path) ?? read(path);
    known.set(path, answer);
    return answer;
  };
}

class Collection {
  readonly #host: HostFiles;
  readonly #libraryDirectories: readonly string[];
  readonly #entries = new Map<string, LayerEntry>();
  readonly #missingPrograms: UserLandProgram[] = [];
  readonly #missingLibraries: MissingLibrary[] = [];
  #machine: number | undefined;

  constructor(host: HostFiles, libraryDirectories: readonly string[]) {
    this.#host = host;
    this.#libraryDirectories = libraryDirectories;
  }

  result(): UserLandPlan {
    const entries = [...this.#entries].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, entry]) => entry);
    return { entries, missingPrograms: this.#missingPrograms, missingLibraries: this.#missingLibraries };
  }

  async addProgram(program: UserLandProgram): Promise<void> {
    for (const folder of programFolders) if (await this.addFile(posix.join(folder, program.name))) return;
    if (!program.isOptional) this.#missingPrograms.push(program);
  }

  /** Includes the whole directory of the given name next to the libraries. */
  async addPlugins(folder: string): Promise<void> {
    for (const parent of this.#libraryDirectories) {
      const path = posix.join(parent, folder);
      for (const name of await this.#host.listNames(path)) await this.addFile(posix.join(path, name));
    }
  }

  async addLibraryOfSameMachine(name: string): Promise<void> {
    if (this.#machine === undefined) return;
    const path = await this.#findLibrary(name, this.#libraryDirectories, this.#machine);
    if (path !== undefined) await this.addFile(path);
  }

  /** Includes a file, the links to it and its dependencies; false when there is no such file. */
  async addFile(path: string): Promise<boolean> {
    const real = await this.#resolve(path);
    if (real === undefined || (await this.#host.findFile(real)) !== "file") return false;
    await this.follow(path);
    if (this.#entries.has(real)) return true;
    this.#entries.set(real, fileFrom(real, real));
    const elf = await this.#host.readElf(real);
    if (elf === undefined) await this.#addInterpreterOfScript(real);
    else await this.#addNeeds(real, elf);
    return true;
  }

  /** Includes the links on a path. */
  async follow(path: string): Promise<void> {
    await this.#resolve(path, (link, target) => this.#entries.set(link, symlink(link, target)));
  }

  async #addInterpreterOfScript(script: string): Promise<void> {
    const line = await this.#host.readInterpreterLine(script);
    const [interpreter = "", argument = ""] = line?.split(/\s+/) ?? [];
    if (interpreter !== "") await this.addFile(interpreter);
    if (posix.basename(interpreter) === "env") {
      await this.addProgram({ name: argument, package: argument, isOptional: false });
    }
  }

  async #addNeeds(path: string, elf: ElfFile): Promise<void> {
    this.#machine ??= elf.machine;
    if (elf.interpreter !== undefined) await this.addFile(elf.interpreter);
    const origin = posix.dirname(path);
    const runPaths = elf.runPaths.map((each) => each.replace(/\$(ORIGIN|\{ORIGIN\})/g, origin));
    for (const name of elf.needed) {
      const library = await this.#findLibrary(name, [...runPaths, ...this.#libraryDirectories], elf.machine);
      if (library === undefined) this.#missingLibraries.push({ name, neededBy: path });
      else await this.addFile(library);
    }
  }

  async #findLibrary(name: string, folders: readonly string[], machine: number): Promise<string | undefined> {
    const candidates = name.includes("/") ? [name] : folders.map((folder) => posix.join(folder, name));
    for (const candidate of candidates) {
      const real = await this.#resolve(candidate);
      if (real === undefined || (await this.#host.findFile(real)) !== "file") continue;
      if ((await this.#host.readElf(real))?.machine === machine) return candidate;
    }
    return undefined;
  }

  /** The target of a path after all its links; undefined when it does not exist. */
  async #resolve(
    path: string,
    onLink: (link: string, target: string) => void = () => undefined,
  ): Promise<string | undefined> {
    let resolved = "/";
    let waiting = path.split("/").filter((part) => part !== "");
    for (let hops = 0; waiting.length > 0 && hops < 100; hops += 1) {
      const [part = "", ...rest] = waiting;
      const next = posix.join(resolved, part);
      const found = await this.#host.findFile(next);
      if (found === undefined) return undefined;
      waiting = rest;
      if (typeof found === "string") resolved = next;
      else {
        const target = await this.#skipAlternatives(next, found.linkTarget);
        onLink(next, target);
        waiting = [
          ...posix
            .resolve(resolved, target)
            .split("/")
            .filter((each) => each !== ""),
          ...rest,
        ];
        resolved = "/";
      }
    }
    return waiting.length === 0 ? resolved : undefined;
  }

  /** A link into the alternatives system becomes a link to the selected alternative. */
  async #skipAlternatives(link: string, target: string): Promise<string> {
    const absolute = posix.resolve(posix.dirname(link), target);
    if (!absolute.startsWith(alternatives)) return target;
    const found = await this.#host.findFile(absolute);
    return typeof found === "object" ? found.linkTarget : target;
  }
}
