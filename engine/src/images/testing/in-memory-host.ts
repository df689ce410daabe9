import { posix } from "node:path";
import type { ElfFile } from "../elf-file.ts";
import type { HostFile, HostFiles } from "../host-files.ts";

/** An entry of the simulated file system. */
export type MadeUpFile = { readonly linkTarget: string } | { readonly text: string } | { readonly elf: ElfFile };

/** A program or library that names the given libraries. */
export function anElf(needed: readonly string[] = [], overrides: Partial<ElfFile> = {}): MadeUpFile {
  return { elf: { machine: 62, interpreter: undefined, needed, runPaths: [], ...overrides } };
}

/** A link to another path. */
export function aLink(linkTarget: string): MadeUpFile {
  return { linkTarget };
}

/** A machine simulated by a table of its files; directories follow from their paths. */
export function inMemoryHost(files: Readonly<Record<string, MadeUpFile>>): HostFiles {
  const paths = Object.keys(files);
  const find = (path: string): HostFile | undefined => {
    const file = files[path];
    if (file !== undefined) return "linkTarget" in file ? file : "file";
    return paths.some((each) => each.startsWith(`${path}/`)) ? "directory" : undefined;
  };
  const textOf = (path: string): string => {
    const file = files[path];
    return file !== undefined && "text" in file ? file.text : "";
  };
  return {
    findFile: (path) => Promise.resolve(find(path)),
    listNames: (path) =>
      Promise.resolve(paths.flatMap((each) => (posix.dirname(each) === path ? [posix.basename(each)] : [])).sort()),
    readText: (path) => Promise.resolve(textOf(path)),
    readElf: (path) => {
      const file = files[path];
      return Promise.resolve(file !== undefined && "elf" in file ? file.elf : undefined);
    },
    readInterpreterLine: (path) => Promise.resolve(/^#!(.*)/.exec(textOf(path))?.[1]),
  };
}
