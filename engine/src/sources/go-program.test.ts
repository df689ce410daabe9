import { Unavailable } from "@butler/std";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { buildGoProgram } from "./go-program.ts";

/** A directory of Go files, and a wrapper script for `go` that records each build and its result. */
async function prepare(script: string) {
  const directory = await temporaryDirectory();
  const [bin, cache, folder] = [join(directory, "bin"), join(directory, "cache"), join(directory, "greeter")];
  await Promise.all([mkdir(bin), mkdir(folder)]);
  const sayBuilt = `#!/bin/sh\nif [ "$1" = env ]; then echo go99.0.0; exit; fi\necho "$*" >> ${directory}/calls\n`;
  await writeFile(join(bin, "go"), `${sayBuilt}${script}\n`);
  await chmod(join(bin, "go"), 0o755);
  await writeFile(join(folder, "other.go"), "package main\n");
  await writeFile(join(folder, "main.go"), "package main\n");
  await writeFile(join(folder, "notes.txt"), "not Go\n");
  const environment = { PATH: `${bin}:/usr/bin:/bin`, BUTLER_ENGINE_DIR: cache };
  const calls = async (): Promise<string[]> =>
    (await readFile(join(directory, "calls"), "utf8")).split("\n").filter((line) => line !== "");
  return { folder, build: () => buildGoProgram(folder, { environment }), calls };
}

/** Makes the program as Go does: in the folder after `-o`, under the name of the first file. */
const makesProgram = 'for word in "$@"; do case "$word" in */) out=$word;; esac; done; echo "$*" > "${out}main"';

describe("buildGoProgram", () => {
  it("builds all Go files of a directory, and unchanged ones only once", async () => {
    const { build, calls, folder } = await prepare(makesProgram);
    const program = await build();
    expect(await readFile(program, "utf8")).toContain(`${folder}/main.go ${folder}/other.go\n`);
    expect(await build()).toBe(program);
    expect(await calls()).toHaveLength(1);
  });

  it("builds once for concurrent callers, and leaves no other files", async () => {
    const { build, calls } = await prepare(makesProgram);
    const programs = await Promise.all([build(), build(), build()]);
    expect(new Set(programs).size).toBe(1);
    expect(await calls()).toHaveLength(1);
    expect(await readdir(join(programs[0], ".."))).toHaveLength(1);
  });

  it("rebuilds when a file has changed", async () => {
    const { build, calls, folder } = await prepare(makesProgram);
    const before = await build();
    await writeFile(join(folder, "other.go"), "package main\n\nconst changed = true\n");
    expect(await build()).not.toBe(before);
    expect(await calls()).toHaveLength(2);
  });

  it("includes Go's output when a build fails, and retries the next time", async () => {
    const { build, calls } = await prepare('echo "main.go:1:1: no such thing" >&2; exit 1');
    await expect(build()).rejects.toBeInstanceOf(Unavailable);
    await expect(build()).rejects.toThrow("main.go:1:1: no such thing");
    expect(await calls()).toHaveLength(2);
  });
});
