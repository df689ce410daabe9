import { describe, expect, it } from "vitest";
import { openSealed, sealFiles } from "./sealed.ts";
import { type ArchiveFile, packFiles, unpackFiles } from "./tar.ts";

const madeAt = new Date(0);
const files: readonly ArchiveFile[] = ["a", "b"].map((path) => ({ path, content: Buffer.from(`this is ${path}`) }));

/** Opens a sealed archive whose files were changed, but not its checksums. */
async function openChanged(change: (all: ArchiveFile[]) => readonly ArchiveFile[]): Promise<unknown> {
  const all = await unpackFiles(await sealFiles(files, madeAt));
  return openSealed(await packFiles(change(all), madeAt));
}

describe("a sealed archive", () => {
  it("returns the files that were packed", async () => {
    expect([...(await openSealed(await sealFiles(files, madeAt)))]).toEqual(
      files.map(({ path, content }) => [path, content]),
    );
  });

  it.each([
    ["long", `namespaces/${"n".repeat(63)}/pods/${"p".repeat(200)}.log`],
    ["not ASCII", "überall/日本.yaml"],
  ])("keeps a path that is %s", async (_what, path) => {
    const content = Buffer.from("here");
    expect([...(await openSealed(await sealFiles([{ path, content }], madeAt)))]).toEqual([[path, content]]);
  });

  it.each<[string, (all: ArchiveFile[]) => readonly ArchiveFile[], string]>([
    ["without one of its files", (all) => all.filter(({ path }) => path !== "b"), "b is missing"],
    ["with one more", (all) => [...all, { path: "c", content: Buffer.from("") }], "the checksum of c does not match"],
    [
      "with one changed",
      (all) => all.map(({ path, content }) => ({ path, content: path === "a" ? Buffer.from("") : content })),
      "the checksum of a does not match",
    ],
    ["with one twice", (all) => [...all, ...all.slice(0, 1)], "duplicate files"],
    ["without its checksums", (all) => all.slice(0, -1), "missing checksums"],
  ])("is refused %s", async (_what, change, why) => {
    await expect(openChanged(change)).rejects.toThrow(why);
  });
});
