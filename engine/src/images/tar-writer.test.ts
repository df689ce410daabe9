import { execFile } from "node:child_process";
import { lstat, readFile, readlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { type TarEntry, type TarFile, tarFileHeader, writeTar } from "./tar-writer.ts";
import { unpackTar } from "./testing/image-layout.ts";

const run = promisify(execFile);

function file(path: string, text: string, mode = 0o644): TarFile {
  const content = Buffer.from(text);
  return { type: "file", path, mode, size: content.length, read: () => [content] };
}

async function collect(entries: Iterable<TarEntry>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeTar(entries)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function tarFileOf(entries: Iterable<TarEntry>): Promise<string> {
  const archive = join(await temporaryDirectory(), "archive.tar");
  await writeFile(archive, await collect(entries));
  return archive;
}

const long = Array.from({ length: 12 }, (_each, at) => `a-directory-of-some-length-${at}`).join("/");

describe("writeTar", () => {
  it("is listed by the system's tar with modes, owner, time and links", async () => {
    const archive = await tarFileOf([
      { type: "directory", path: "tmp", mode: 0o1777 },
      file("usr/bin/tool", "#!/bin/sh\n", 0o755),
      { type: "symlink", path: "bin", target: "usr/bin" },
    ]);
    const { stdout } = await run("tar", ["--utc", "-tvf", archive]);
    const lines = stdout.trimEnd().replace(/ +/g, " ").split("\n");
    expect(lines).toEqual([
      "drwxrwxrwt 0/0 0 1970-01-01 00:00 tmp/",
      "-rwxr-xr-x 0/0 10 1970-01-01 00:00 usr/bin/tool",
      "lrwxrwxrwx 0/0 0 1970-01-01 00:00 bin -> usr/bin",
    ]);
  });

  it("round-trips through the system's tar", async () => {
    const sizes = [0, 1, 511, 512, 513, 100_000];
    const directory = await unpackTar(
      await tarFileOf([
        ...sizes.map((size) => file(`size-${size}`, "x".repeat(size))),
        file("secret", "s", 0o600),
        { type: "symlink", path: "link", target: "size-1" },
      ]),
    );
    for (const size of sizes) expect((await readFile(join(directory, `size-${size}`))).length).toBe(size);
    expect((await lstat(join(directory, "secret"))).mode & 0o7777).toBe(0o600);
    expect(await readlink(join(directory, "link"))).toBe("size-1");
  });

  it.each([
    ["99 bytes", "x".repeat(99)],
    ["100 bytes", "x".repeat(100)],
    ["101 bytes", "x".repeat(101)],
    ["many directories", long],
    ["other alphabets", "überall/日本/файл"],
    ["a line break", "one\ntwo"],
  ])("supports names with %s", async (_what, path) => {
    const directory = await unpackTar(
      await tarFileOf([file(path, "here"), { type: "symlink", path: "link", target: path }]),
    );
    expect(await readFile(join(directory, path), "utf8")).toBe("here");
    expect(await readlink(join(directory, "link"))).toBe(path);
    expect(await readFile(join(directory, "link"), "utf8")).toBe("here");
  });

  it("counts the digits of a pax record's own length", async () => {
    for (const length of [101, 200, 989, 990, 991, 9_990]) {
      const archive = await collect([file("p".repeat(length), "")]);
      const [, digits = "", record = ""] = /^(\d+)( path=p+\n)/.exec(archive.toString("utf8", 512)) ?? [];
      expect(Number(digits)).toBe(digits.length + record.length);
    }
  });

  it("records a size beyond 8 GiB", async () => {
    const archive = join(await temporaryDirectory(), "archive.tar");
    await writeFile(archive, await tarFileHeader("large", 9 * 2 ** 30));
    // The content and the end, without taking up space on disk.
    await truncate(archive, 9 * 2 ** 30 + 1536);
    const { stdout } = await run("tar", ["-tvf", archive]);
    expect(stdout).toMatch(/ 9663676416 .* large\n$/);
  });

  it("keeps a mode without any permission", async () => {
    const { stdout } = await run("tar", ["-tvf", await tarFileOf([file("closed", "x", 0)])]);
    expect(stdout).toMatch(/^---------- /);
  });

  it("ends when its reader does", async () => {
    for await (const chunk of writeTar([file("a", "x".repeat(10_000_000)), file("b", "y")])) {
      expect(chunk).toHaveLength(512);
      break;
    }
  });

  it("produces identical bytes for the same entries", async () => {
    const entries = [file("a", "1"), file(long, "2")];
    expect((await collect(entries)).equals(await collect(entries))).toBe(true);
  });

  it.each([1, 3])("rejects a file that has %i bytes instead of 2", async (actual) => {
    const entry = { ...file("growing", "x".repeat(actual)), size: 2 };
    await expect(collect([entry])).rejects.toThrow("growing changed size");
  });

  it("rejects names that an archive cannot contain", async () => {
    await expect(collect([file("", "x")])).rejects.toThrow("not a valid path");
    await expect(collect([file("a\0b", "x")])).rejects.toThrow("not a valid path");
  });
});
