import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { ensureArchive } from "./image-archives.ts";
import type { ImageDescription } from "./image-writer.ts";
import { directory, fileFrom, fileWith, type LayerEntry, symlink } from "./layer-entry.ts";

const name = "registry.example.com/team/program:v1";

function image(...entries: LayerEntry[]): ImageDescription {
  return { name, layers: [entries], config: { entrypoint: ["/program"] } };
}

describe("the archive of an image", () => {
  it("is built once, and rebuilt when a file on this machine has changed", async () => {
    const [folder, sources] = [await temporaryDirectory(), await temporaryDirectory()];
    const source = join(sources, "program");
    await writeFile(source, "one");
    const first = await ensureArchive(folder, image(fileFrom(source, "/program")));
    expect(await ensureArchive(folder, image(fileFrom(source, "/program")))).toEqual(first);
    await writeFile(source, "two");
    await utimes(source, new Date(), new Date(Date.now() + 5_000));
    const second = await ensureArchive(folder, image(fileFrom(source, "/program")));
    expect(second.digest).not.toBe(first.digest);
    const left = (await readdir(folder)).filter((entry) => entry.endsWith(".tar"));
    expect(left.map((entry) => join(folder, entry))).toEqual([second.archive]);
  });

  it.each<[string, ImageDescription]>([
    ["another content", image(fileWith("/program", "two"))],
    ["another mode", image(fileWith("/program", "one", 0o755))],
    ["a further folder", image(fileWith("/program", "one"), directory("/data"))],
    ["a link in its place", image(symlink("/program", "/one"))],
    ["another way to start", { ...image(fileWith("/program", "one")), config: { entrypoint: ["/other"] } }],
  ])("differs with %s", async (_what, changed) => {
    const folder = await temporaryDirectory();
    const before = await ensureArchive(folder, image(fileWith("/program", "one")));
    expect((await ensureArchive(folder, changed)).archive).not.toBe(before.archive);
  });

  it("is rebuilt after an interrupted build", async () => {
    const folder = await temporaryDirectory();
    const { archive } = await ensureArchive(folder, image(fileWith("/program", "one")));
    const other = await temporaryDirectory();
    // An archive without the note that is written last may be anything.
    await writeFile(join(other, archive.slice(folder.length + 1)), "half");
    const made = await ensureArchive(other, image(fileWith("/program", "one")));
    expect(made.digest).toMatch(/^sha256:/);
    expect(await readdir(other)).toContain(`${archive.slice(folder.length + 1)}.digest`);
  });
});
