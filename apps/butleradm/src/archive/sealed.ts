import { createHash } from "node:crypto";
import { InvalidInput } from "@butler/std";
import { type ArchiveFile, packFiles, unpackFiles } from "./tar.ts";

/** The last file of an archive: checksums of all other files in the format of sha256sum. */
const sumsPath = "SHA256SUMS";

/** Packs files with their checksums. */
export function sealFiles(files: readonly ArchiveFile[], madeAt: Date): Promise<Buffer> {
  const sums = files.map(({ path, content }) => `${digestOf(content)}  ${path}\n`).join("");
  return packFiles([...files, { path: sumsPath, content: Buffer.from(sums) }], madeAt);
}

/** Unpacks files; rejects an archive with missing, added or modified files. */
export async function openSealed(packed: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const all = await unpackFiles(packed);
  const files = new Map(all.map(({ path, content }) => [path, content]));
  const sums = files.get(sumsPath);
  if (sums === undefined || files.size !== all.length) throw refusal("missing checksums or duplicate files");
  files.delete(sumsPath);
  const stated = new Map(
    sums
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  for (const [path, content] of files) {
    if (stated.get(path) !== digestOf(content)) throw refusal(`the checksum of ${path} does not match`);
  }
  const missing = [...stated.keys()].find((path) => !files.has(path));
  if (missing !== undefined) throw refusal(`${missing} is missing`);
  return files;
}

/** The checksum of a file. */
export function digestOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function refusal(why: string): InvalidInput {
  return new InvalidInput(`invalid archive: ${why}`, { hint: "Nothing was changed. Use another copy of the file." });
}
