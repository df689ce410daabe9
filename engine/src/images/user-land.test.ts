import { describe, expect, it } from "vitest";
import type { PackageManager } from "../sources/system-packages.ts";
import type { HostFiles } from "./host-files.ts";
import { anElf, inMemoryHost, type MadeUpFile } from "./testing/in-memory-host.ts";
import { ensureUserLand } from "./user-land.ts";
import { nodeUserLand } from "./user-land-programs.ts";

function machineWithout(...packages: string[]): HostFiles {
  const programs = nodeUserLand.programs.filter((program) => !packages.includes(program.package));
  const files: [string, MadeUpFile][] = programs.map(({ name }) => [`/usr/bin/${name}`, anElf()]);
  const bundle: [string, MadeUpFile] = ["/etc/ssl/certs/ca-certificates.crt", { text: "PEM" }];
  return inMemoryHost(Object.fromEntries([...files, ...(packages.includes("ca-certificates") ? [] : [bundle])]));
}

/** A machine that has everything once the packages are installed. */
function installableMachine(before: HostFiles): { host: HostFiles; packages: PackageManager; installed: string[][] } {
  const installed: string[][] = [];
  let current = before;
  const host: HostFiles = {
    findFile: (path) => current.findFile(path),
    listNames: (path) => current.listNames(path),
    readText: (path) => current.readText(path),
    readElf: (path) => current.readElf(path),
    readInterpreterLine: (path) => current.readInterpreterLine(path),
  };
  const packages: PackageManager = {
    findObstacle: () => Promise.resolve(undefined),
    install: (names) => {
      installed.push([...names]);
      current = machineWithout();
      return Promise.resolve();
    },
  };
  return { host, packages, installed };
}

const without = (why: string): PackageManager => ({
  findObstacle: () => Promise.resolve(why),
  install: () => Promise.reject(new Error("must not be called")),
});

describe("ensureUserLand", () => {
  it("installs nothing when nothing is missing", async () => {
    const userLand = await ensureUserLand({ host: machineWithout(), packages: without("not to be asked") });
    const paths = (entries: readonly { path: string }[]): string[] => entries.map(({ path }) => path);
    expect(paths(userLand.base)).toContain("/etc/passwd");
    expect(paths(userLand.base)).toContain("/etc/ssl/certs/ca-certificates.crt");
    expect(paths(userLand.proxy)).toContain("/usr/bin/iptables");
    expect(paths(userLand.proxy)).not.toContain("/usr/bin/socat");
    expect(paths(userLand.node)).toEqual(
      expect.arrayContaining(["/usr/bin/socat", "/etc/protocols", "/usr/bin/modprobe"]),
    );
  });

  it("installs missing packages and reports it", async () => {
    const said: string[] = [];
    const { installed, ...machine } = installableMachine(machineWithout("iptables", "socat", "ca-certificates"));
    await ensureUserLand({ ...machine, say: (sentence) => said.push(sentence) });
    expect(installed).toEqual([["ca-certificates", "iptables", "socat"]]);
    expect(said).toEqual(["installing ca-certificates, iptables, socat with apt (required for node images)"]);
  });

  it("names programs and packages if it cannot install them", async () => {
    const host = machineWithout("conntrack", "ethtool");
    const attempt = ensureUserLand({ host, packages: without("installing packages requires root") });
    await expect(attempt).rejects.toMatchObject({
      message:
        "node images require files that were not found on this system: conntrack, ethtool (installing packages requires root)",
      hint: "Install the packages that contain them (on Debian: conntrack ethtool).",
    });
  });

  it("fails if an installation did not provide what is required", async () => {
    const host = machineWithout("socat");
    const packages: PackageManager = {
      findObstacle: () => Promise.resolve(undefined),
      install: () => Promise.resolve(),
    };
    await expect(ensureUserLand({ host, packages })).rejects.toThrow("not found on this system: socat");
  });

  it("names missing libraries", async () => {
    const complete = machineWithout();
    const readElf: HostFiles["readElf"] = async (path) => {
      const elf = await complete.readElf(path);
      return elf && path === "/usr/bin/socat" ? { ...elf, needed: ["libssl.so.3"] } : elf;
    };
    await expect(ensureUserLand({ host: { ...complete, readElf }, packages: without("") })).rejects.toMatchObject({
      message: "node images require files that were not found on this system: libssl.so.3 (required by /usr/bin/socat)",
      hint: "Reinstall the programs that require these libraries.",
    });
  });
});
