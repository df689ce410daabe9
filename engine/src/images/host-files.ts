import { lstat, open, readdir, readFile, readlink } from "node:fs/promises";
import { type ElfFile, readElfFile } from "./elf-file.ts";

/** The entry at a path; links are not followed. */
export type HostFile = "file" | "directory" | { readonly linkTarget: string };

/** The read-only view of a machine's file system that a plan uses. */
export interface HostFiles {
  readonly findFile: (path: string) => Promise<HostFile | undefined>;
  /** The names in a directory, sorted; none when there is no such directory. */
  readonly listNames: (path: string) => Promise<string[]>;
  /** The content of a text file; empty when it does not exist. */
  readonly readText: (path: string) => Promise<string>;
  /** Undefined when the file is not for this type of linker. */
  readonly readElf: (path: string) => Promise<ElfFile | undefined>;
  /** The first line of a script without its `#!`; undefined when the file is not a script. */
  readonly readInterpreterLine: (path: string) => Promise<string | undefined>;
}

/** The machine that this process runs on. */
export const thisHost: HostFiles = {
  findFile: async (path) => {
    const found = await unlessAbsent(lstat(path));
    if (found?.isSymbolicLink() === true) return { linkTarget: await readlink(path) };
    if (found?.isDirectory() === true) return "directory";
    return found?.isFile() === true ? "file" : undefined;
  },
  listNames: async (path) => ((await unlessAbsent(readdir(path))) ?? []).sort(),
  readText: async (path) => (await unlessAbsent(readFile(path, "utf8"))) ?? "",
  readElf: readElfFile,
  readInterpreterLine: async (path) => {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
      return /^#!\s*(.*)/.exec(buffer.toString("utf8", 0, bytesRead))?.[1]?.trim();
    } finally {
      await file.close();
    }
  },
};

async function unlessAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
