import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { readElfFile } from "./elf-file.ts";

const isLinux = process.platform === "linux";

describe.skipIf(!isLinux)("readElfFile", () => {
  it("reads the dependencies of a program on this machine", async () => {
    const elf = await readElfFile("/bin/sh");
    expect(elf?.needed).toContain("libc.so.6");
    expect(elf?.interpreter).toMatch(/^\/lib.*\/ld-linux/);
    expect(elf?.machine).toBe((await readElfFile(process.execPath))?.machine);
  });

  it("agrees with the dynamic linker about the libraries of this process", async () => {
    const elf = await readElfFile(process.execPath);
    const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
    const loaded = sharedObjects.map((path) => basename(path));
    expect(elf?.needed.length).toBeGreaterThan(0);
    for (const name of elf?.needed ?? []) expect(loaded).toContain(name);
  });

  it("rejects other file types", async () => {
    const directory = await temporaryDirectory();
    const [empty, script, cut, foreign] = ["empty", "script", "cut", "foreign"].map((name) => join(directory, name));
    const program = await readFile("/bin/sh");
    const bigEndian = Buffer.from(program.subarray(0, 64));
    bigEndian[5] = 2;
    await writeFile(empty ?? "", "");
    await writeFile(script ?? "", "#!/bin/sh\n");
    await writeFile(cut ?? "", program.subarray(0, 40));
    await writeFile(foreign ?? "", bigEndian);
    for (const path of [empty, script, cut, foreign]) expect(await readElfFile(path ?? "")).toBeUndefined();
  });

  it("finds nothing in a program with truncated tables", async () => {
    const path = join(await temporaryDirectory(), "cut");
    await writeFile(path, (await readFile("/bin/sh")).subarray(0, 64));
    expect(await readElfFile(path)).toMatchObject({ needed: [], runPaths: [], interpreter: undefined });
  });
});
