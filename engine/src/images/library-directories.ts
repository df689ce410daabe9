import { posix } from "node:path";
import type { HostFiles } from "./host-files.ts";

/** Searched by every dynamic linker, independent of its configuration. */
const standard = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"];
const configuration = "/etc/ld.so.conf";

/** The directories that a machine's dynamic linker searches, in its order: those configured, then the standard ones. */
export async function findLibraryDirectories(host: HostFiles): Promise<string[]> {
  return [...new Set([...(await readConfiguration(host, configuration)), ...standard])];
}

/** ld.so.conf(5) as ldconfig reads it: a directory per line, and includes with a pattern for file names. */
async function readConfiguration(host: HostFiles, path: string): Promise<string[]> {
  const directories: string[] = [];
  for (const line of (await host.readText(path)).split("\n")) {
    const text = line.replace(/#.*/, "").trim();
    const [, pattern] = /^include\s+(\S+)$/.exec(text) ?? [];
    if (pattern !== undefined) directories.push(...(await readIncluded(host, posix.resolve("/etc", pattern))));
    else if (text.startsWith("/")) directories.push(text);
  }
  return directories;
}

async function readIncluded(host: HostFiles, pattern: string): Promise<string[]> {
  const folder = posix.dirname(pattern);
  const [start = "", end] = posix.basename(pattern).split("*");
  const names = (await host.listNames(folder)).filter((name) =>
    end === undefined ? name === start : name.startsWith(start) && name.endsWith(end),
  );
  const nested = await Promise.all(names.map((name) => readConfiguration(host, posix.join(folder, name))));
  return nested.flat();
}
