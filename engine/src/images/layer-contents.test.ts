import { chmod, mkdir, symlink as makeLink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { readLayers } from "./layer-contents.ts";
import { copyTree, directory, fileFrom, fileWith, type LayerEntry, programFrom, symlink } from "./layer-entry.ts";
import type { TarEntry } from "./tar-writer.ts";

function describeEntry(entry: TarEntry): string {
  if (entry.type === "symlink") return `${entry.path} -> ${entry.target}`;
  return `${entry.path}${entry.type === "directory" ? "/" : ""} ${entry.mode.toString(8)}`;
}

async function listLayers(...layers: LayerEntry[][]): Promise<string[][]> {
  return (await readLayers(layers)).map((entries) => entries.map(describeEntry));
}

async function aTree(): Promise<string> {
  const tree = await temporaryDirectory();
  await mkdir(join(tree, "share/doc"), { recursive: true });
  await mkdir(join(tree, "bin"));
  await writeFile(join(tree, "bin/tool"), "tool", { mode: 0o755 });
  await writeFile(join(tree, "share/doc/readme"), "text");
  await makeLink("bin/tool", join(tree, "link"));
  await chmod(join(tree, "share"), 0o1777);
  return tree;
}

describe("readLayers", () => {
  it("sorts entries and adds the directories that lead to them", async () => {
    const [layer] = await listLayers([
      fileWith("/usr/lib/z", "z"),
      symlink("/bin", "usr/bin"),
      fileWith("/usr/bin/a", "a", 0o755),
    ]);
    expect(layer).toEqual([
      "bin -> usr/bin",
      "usr/ 755",
      "usr/bin/ 755",
      "usr/bin/a 755",
      "usr/lib/ 755",
      "usr/lib/z 644",
    ]);
  });

  it("copies a tree without the excluded paths", async () => {
    const exclude = (path: string): boolean => path === "share/doc";
    const [layer] = await listLayers([copyTree(await aTree(), { to: "/opt/tree", exclude })]);
    expect(layer).toEqual([
      "opt/ 755",
      "opt/tree/ 700",
      "opt/tree/bin/ 755",
      "opt/tree/bin/tool 755",
      "opt/tree/link -> bin/tool",
      "opt/tree/share/ 1777",
    ]);
  });

  it("takes a file's mode from its source, without setuid and setgid bits", async () => {
    const source = join(await temporaryDirectory(), "program");
    await writeFile(source, "p");
    await chmod(source, 0o4750);
    const [layer] = await listLayers([
      fileFrom(source, "/a"),
      fileFrom(source, "/b", 0o4755),
      programFrom(source, "/c"),
    ]);
    expect(layer).toEqual(["a 750", "b 4755", "c 755"]);
  });

  it("keeps the mode of a lower layer's directory if an upper layer only adds children", async () => {
    const layers = await listLayers([directory("/tmp", 0o1777)], [fileWith("/tmp/x", "x")]);
    expect(layers[1]).toEqual(["tmp/ 1777", "tmp/x 644"]);
  });

  it("rejects a file below a symlink, in its own layer or a lower one", async () => {
    const link = symlink("/bin", "usr/bin");
    const below = fileWith("/bin/tool", "t");
    await expect(listLayers([link, below])).rejects.toThrow("cannot place /bin/tool below /bin, which is a symlink");
    await expect(listLayers([link], [below])).rejects.toThrow("cannot place /bin/tool below /bin, which is a symlink");
  });

  it("accepts duplicate directories, but no other duplicates", async () => {
    expect(await listLayers([directory("/run"), directory("/run")])).toEqual([["run/ 755"]]);
    await expect(listLayers([directory("/run"), directory("/run", 0o700)])).rejects.toThrow(
      "duplicate path in the layer: /run",
    );
    await expect(listLayers([fileWith("/a", "1"), fileWith("/a", "2")])).rejects.toThrow(
      "duplicate path in the layer: /a",
    );
  });

  it.each(["etc/passwd", "/etc/../passwd", "/etc/", "/", "//etc", ""])("rejects the path %j", async (path) => {
    await expect(listLayers([fileWith(path, "x")])).rejects.toThrow("not an absolute, normalized path");
  });

  it("names an unreadable source and its target path", async () => {
    await expect(listLayers([fileFrom("/does/not/exist", "/x")])).rejects.toThrow(
      "cannot read /does/not/exist, the source of /x in the image",
    );
    await expect(listLayers([fileFrom("/tmp", "/x")])).rejects.toThrow("is not a file");
  });

  it("rejects file types that an image cannot contain", async () => {
    const tree = await temporaryDirectory();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(tree, "socket"), resolve));
    onTestFinished(() => void server.close());
    await expect(listLayers([copyTree(tree, { to: "/t" })])).rejects.toThrow("not a file, directory or link");
  });
});
