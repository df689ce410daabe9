import { BadArchive } from "./tar-header.ts";

/** The segments of an entry's path, starting with the chart's folder. Rejects paths outside of it. */
export function archivePath(name: string): readonly string[] {
  const trimmed = name.endsWith("/") ? name.slice(0, -1) : name;
  if (trimmed === "" || trimmed.length > 1024) throw new BadArchive("contains an entry without a valid name");
  if (/[\p{Cc}\\]/u.test(trimmed)) throw new BadArchive("contains a name with a backslash or a control character");
  if (trimmed.startsWith("/") || /^[A-Za-z]:/.test(trimmed)) throw new BadArchive("contains an absolute path");
  const parts = trimmed.split("/");
  if (parts.includes("..")) throw new BadArchive("contains a path that leads outside (..)");
  if (parts.includes("") || parts.includes(".")) throw new BadArchive('contains a path with an empty or "." segment');
  return parts;
}
