import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { requireCToolchain } from "./c-toolchain.ts";

/** A machine with the given programs, each a shell script; `$SCRATCH` is a directory of its own. */
async function aMachine(programs: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory();
  const bin = join(directory, "bin");
  await mkdir(bin);
  const notes: string[] = [];
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return {
    notes,
    demand: (isRoot: boolean, environment: NodeJS.ProcessEnv = {}) =>
      requireCToolchain({
        environment: { PATH: `${bin}:/usr/bin:/bin`, SCRATCH: directory, ...environment },
        workDirectory: directory,
        libraries: { libthing: "libthing-dev" },
        note: (text) => notes.push(text),
        isRoot,
      }),
    read: (file: string) => readFile(join(directory, file), "utf8"),
  };
}

const links = '[ "$1" = --version ] || echo "$@" > $SCRATCH/arguments';
const knowsThing = 'case "$*" in *libthing) echo -I/thing -lthing;; esac';
const knowsThingOnceInstalled = `[ "$1" = --version ] && exit
if [ -e $SCRATCH/installed ]; then echo -lthing; else echo "No package 'libthing' found" >&2; exit 1; fi`;

describe("requireCToolchain", () => {
  it("succeeds when a static program with the libraries can be linked", async () => {
    const { notes, demand, read } = await aMachine({ gcc: links, "pkg-config": knowsThing, "apt-get": "exit 1" });
    await demand(true);
    expect(notes).toEqual([]);
    expect(await read("arguments")).toMatch(/^-static -o .*link-trial .*link-trial.c -I\/thing -lthing\n$/);
  });

  it("uses the compiler from the environment, including arguments", async () => {
    const machine = await aMachine({ mycc: links, "pkg-config": knowsThing });
    await machine.demand(false, { CC: "mycc -m64" });
    expect(await machine.read("arguments")).toMatch(/^-m64 -static /);
  });

  it("installs missing packages and reports it", async () => {
    const { notes, demand, read } = await aMachine({
      gcc: links,
      "pkg-config": knowsThingOnceInstalled,
      "apt-get":
        '[ "$1" = --version ] || echo "$@" >> $SCRATCH/apt; case "$*" in *install*) touch $SCRATCH/installed;; esac',
    });
    await demand(true);
    expect(notes).toEqual(["installing libthing-dev with apt-get"]);
    expect(await read("apt")).toMatch(/^-o .* install --yes --no-install-recommends libthing-dev\n$/);
  });

  it("also installs a missing compiler and pkg-config", async () => {
    const absent = "exit 127";
    const { notes, demand } = await aMachine({ gcc: absent, "pkg-config": absent, "apt-get": "exit 0" });
    await expect(demand(true)).rejects.toThrow("gcc and pkg-config not found");
    expect(notes).toEqual(["installing gcc, libc6-dev, pkg-config, libthing-dev with apt-get"]);
  });

  it("names the package if it may not install it", async () => {
    const { notes, demand } = await aMachine({
      gcc: links,
      "pkg-config": knowsThingOnceInstalled,
      "apt-get": "exit 0",
    });
    await expect(demand(false)).rejects.toMatchObject({
      message: "cannot build a program that contains C code: No package 'libthing' found",
      hint: expect.stringContaining("Install libthing-dev (") as unknown,
    });
    expect(notes).toEqual([]);
  });

  it("names the package if apt is not available", async () => {
    const { demand } = await aMachine({
      gcc: links,
      "pkg-config": knowsThingOnceInstalled,
      "apt-get": "exit 127",
    });
    await expect(demand(true)).rejects.toMatchObject({ hint: expect.stringContaining("libthing-dev") as unknown });
  });

  it("includes apt's output when it fails", async () => {
    const { demand } = await aMachine({
      gcc: links,
      "pkg-config": knowsThingOnceInstalled,
      "apt-get": '[ "$1" = --version ] && exit; echo "E: Unable to locate package" >&2; exit 100',
    });
    await expect(demand(true)).rejects.toThrow("failed to install libthing-dev:\nE: Unable to locate package");
  });
});
