import { BadArchive } from "./tar-header.ts";

/** The parts of an entry's name: the chart's folder and what is below it. Refuses every name that leads elsewhere. */
export function archivePath(name: string): readonly string[] {
  const trimmed = name.endsWith("/") ? name.slice(0, -1) : name;
  if (trimmed === "" || trimmed.length > 1024) throw new BadArchive("has an entry without a usable name");
  if (/[\p{Cc}\\]/u.test(trimmed)) throw new BadArchive("has a name with a backslash or a control character in it");
  if (trimmed.startsWith("/") || /^[A-Za-z]:/.test(trimmed)) throw new BadArchive("has an absolute path in it");
  const parts = trimmed.split("/");
  if (parts.includes("..")) throw new BadArchive("has a path in it that leads outside (..)");
  if (parts.includes("") || parts.includes(".")) throw new BadArchive("has a path in it with an empty part or a dot");
  return parts;
}
