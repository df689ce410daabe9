import { randomUUID } from "node:crypto";
import { link, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Conflict, describeError, InvalidInput } from "@butler/std";

/** Atomically writes a file that only its owner can read; never overwrites an existing file. */
export async function writePrivate(path: string, content: Buffer): Promise<void> {
  const draft = join(dirname(path), `.${randomUUID()}.part`);
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, a link fails if the file already exists.
    await link(draft, path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new Conflict(`${path} already exists`, { hint: "Nothing was written. Choose another file name." });
    }
    throw new InvalidInput(`cannot write ${path}: ${describeError(error)}`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** A timestamp for file names: 20261116T021500Z. */
export function momentName(moment: Date): string {
  return moment.toISOString().replace(/[-:]|\.\d+/g, "");
}
