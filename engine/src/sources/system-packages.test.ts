import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { systemPackages } from "./system-packages.ts";

/** A machine whose apt-get is the given shell script and writes down how it was called. */
async function machineWith(aptGet?: string) {
  const directory = await temporaryDirectory();
  const bin = join(directory, "bin");
  await mkdir(bin);
  if (aptGet !== undefined) {
    const record = '[ "$1" = --version ] && exit; echo "$@" | sed "s/-o [^ ]* //g" >> $SCRATCH/calls';
    await writeFile(join(bin, "apt-get"), `#!/bin/sh\n${record}\n${aptGet}\n`);
    await chmod(join(bin, "apt-get"), 0o755);
  }
  const environment = { PATH: aptGet === undefined ? bin : `${bin}:/usr/bin:/bin`, SCRATCH: directory };
  return {
    packages: (isRoot: boolean) => systemPackages({ environment, isRoot }),
    calls: async () => (await readFile(join(directory, "calls"), "utf8")).trim().split("\n"),
  };
}

const install = "install --yes --no-install-recommends socat";

describe("systemPackages", () => {
  it.each([
    ["root may install with apt", "exit 0", true, undefined],
    ["others may not", "exit 0", false, "installing packages requires root"],
    ["no user may install without apt", undefined, true, "apt-get not found"],
  ])("%s", async (_what, aptGet, isRoot, obstacle) => {
    const machine = await machineWith(aptGet);
    expect(await machine.packages(isRoot).findObstacle()).toBe(obstacle);
  });

  it("does not update the package lists while they work", async () => {
    const machine = await machineWith("exit 0");
    await machine.packages(true).install(["socat"]);
    expect(await machine.calls()).toEqual([install]);
  });

  it("updates the package lists when they are missing or outdated", async () => {
    const machine = await machineWith('case "$*" in *update) touch $SCRATCH/list;; esac; [ -e $SCRATCH/list ]');
    await machine.packages(true).install(["socat"]);
    expect(await machine.calls()).toEqual([install, "update", install]);
  });

  it("includes apt's output and a remedy when it fails", async () => {
    const machine = await machineWith('echo "E: Unable to fetch" >&2; exit 100');
    await expect(machine.packages(true).install(["socat", "ethtool"])).rejects.toMatchObject({
      message: "apt-get failed to install socat, ethtool:\nE: Unable to fetch",
      hint: "Install socat ethtool manually and retry.",
    });
  });
});
