import { describe, expect, it } from "vitest";
import { thisHost } from "./host-files.ts";
import type { LayerEntry } from "./layer-entry.ts";
import { aLink, anElf, inMemoryHost, type MadeUpFile } from "./testing/in-memory-host.ts";
import { planUserLand, type UserLandPlan } from "./user-land-plan.ts";
import { nodeUserLand, type UserLandWish } from "./user-land-programs.ts";

function wishFor(...names: string[]): UserLandWish {
  const programs = names.map((name) => ({ name, package: `package-of-${name}`, isOptional: false }));
  return { programs, pluginFolders: [] };
}

function list({ entries }: UserLandPlan): string[] {
  return entries.map((entry: LayerEntry) =>
    entry.kind === "symlink" ? `${entry.path} -> ${entry.target}` : entry.path,
  );
}

/** A system whose programs and libraries have moved below /usr. */
const merged: Readonly<Record<string, MadeUpFile>> = {
  "/bin": aLink("usr/bin"),
  "/lib": aLink("usr/lib"),
  "/usr/lib/libc.so.6": anElf(),
};

function plan(files: Readonly<Record<string, MadeUpFile>>, wish: UserLandWish): Promise<UserLandPlan> {
  return planUserLand(inMemoryHost({ ...merged, ...files }), wish);
}

const always = ["/bin -> usr/bin", "/lib -> usr/lib"];

describe("planUserLand", () => {
  it("includes a program, its linker and its transitive libraries, with the symlinks on the path", async () => {
    const found = await plan(
      {
        "/usr/bin/tool": anElf(["libone.so.1", "libc.so.6"], { interpreter: "/lib/ld.so" }),
        "/usr/lib/ld.so": anElf(),
        "/usr/lib/libone.so.1": aLink("libone.so.1.2.3"),
        "/usr/lib/libone.so.1.2.3": anElf(["libtwo.so.2", "libc.so.6"]),
        "/usr/lib/libtwo.so.2": anElf(["libone.so.1"]),
        "/usr/lib/libother.so": anElf(),
      },
      wishFor("tool"),
    );
    expect(list(found)).toEqual([
      ...always,
      "/usr/bin/tool",
      "/usr/lib/ld.so",
      "/usr/lib/libc.so.6",
      "/usr/lib/libone.so.1 -> libone.so.1.2.3",
      "/usr/lib/libone.so.1.2.3",
      "/usr/lib/libtwo.so.2",
    ]);
    expect(found).toMatchObject({ missingPrograms: [], missingLibraries: [] });
  });

  it("links to the target of an alternative, not to /etc/alternatives", async () => {
    const found = await plan(
      {
        "/usr/sbin/iptables": aLink("/etc/alternatives/iptables"),
        "/etc/alternatives/iptables": aLink("/usr/sbin/iptables-nft"),
        "/usr/sbin/iptables-nft": aLink("xtables-nft-multi"),
        "/usr/sbin/xtables-nft-multi": anElf(),
      },
      wishFor("iptables"),
    );
    expect(list(found)).toEqual([
      ...always,
      "/usr/sbin/iptables -> /usr/sbin/iptables-nft",
      "/usr/sbin/iptables-nft -> xtables-nft-multi",
      "/usr/sbin/xtables-nft-multi",
    ]);
  });

  it("includes plugins, which no ELF header lists, with their libraries", async () => {
    const found = await plan(
      {
        "/etc/ld.so.conf": { text: "# comment\ninclude /etc/ld.so.conf.d/*.conf\n" },
        "/etc/ld.so.conf.d/here.conf": { text: "/usr/lib/here # of this processor\n" },
        "/etc/ld.so.conf.d/there.txt": { text: "/usr/lib/there\n" },
        "/usr/lib/here/xtables/libxt_comment.so": anElf(["libxtables.so.12"]),
        "/usr/lib/here/xtables/libxt_NOTRACK.so": aLink("libxt_CT.so"),
        "/usr/lib/here/xtables/libxt_CT.so": anElf(),
        "/usr/lib/here/libxtables.so.12": anElf(),
        "/usr/lib/there/xtables/libxt_other.so": anElf(),
      },
      { programs: [], pluginFolders: ["xtables"] },
    );
    expect(list(found)).toEqual([
      ...always,
      "/usr/lib/here/libxtables.so.12",
      "/usr/lib/here/xtables/libxt_CT.so",
      "/usr/lib/here/xtables/libxt_NOTRACK.so -> libxt_CT.so",
      "/usr/lib/here/xtables/libxt_comment.so",
    ]);
  });

  it("searches the RPATH of a program, and skips libraries for another CPU architecture", async () => {
    const found = await plan(
      {
        "/usr/bin/tool": anElf(["libown.so", "libboth.so"], { runPaths: ["$ORIGIN/../own"] }),
        "/usr/own/libown.so": anElf(),
        "/usr/own/libboth.so": anElf([], { machine: 3 }),
        "/usr/lib/libboth.so": anElf(),
      },
      wishFor("tool"),
    );
    expect(list(found)).toEqual([...always, "/usr/bin/tool", "/usr/lib/libboth.so", "/usr/own/libown.so"]);
  });

  it("includes the interpreter of a script", async () => {
    const found = await plan(
      {
        "/usr/bin/one": { text: "#!/bin/sh -e" },
        "/usr/bin/two": { text: "#!/usr/bin/env awk" },
        "/usr/bin/sh": aLink("dash"),
        "/usr/bin/dash": anElf(),
        "/usr/bin/env": anElf(),
        "/usr/bin/awk": anElf(),
      },
      wishFor("one", "two"),
    );
    expect(list(found)).toEqual([
      ...always,
      "/usr/bin/awk",
      "/usr/bin/dash",
      "/usr/bin/env",
      "/usr/bin/one",
      "/usr/bin/sh -> dash",
      "/usr/bin/two",
    ]);
  });

  it("reports what is missing on the machine, and what requires it", async () => {
    const optional = { name: "nft", package: "nftables", isOptional: true };
    const wish = wishFor("tool", "socat", "broken", "circle");
    const found = await plan(
      {
        "/usr/bin/tool": anElf(["libgone.so.1"]),
        "/usr/bin/broken": aLink("nowhere"),
        "/usr/bin/circle": aLink("circle"),
      },
      { ...wish, programs: [...wish.programs, optional] },
    );
    expect(found.missingPrograms.map(({ name }) => name)).toEqual(["socat", "broken", "circle"]);
    expect(found.missingLibraries).toEqual([{ name: "libgone.so.1", neededBy: "/usr/bin/tool" }]);
    expect(list(found)).toEqual([...always, "/usr/bin/tool"]);
  });
});

describe.skipIf(process.platform !== "linux")("planUserLand of this machine", () => {
  it("finds the shell's programs with all their libraries", async () => {
    const programs = nodeUserLand.programs.filter((each) => ["bash", "sh", "cat", "mount"].includes(each.name));
    const found = await planUserLand(thisHost, { programs, pluginFolders: [] });
    const paths = found.entries.map(({ path }) => path);
    expect(found).toMatchObject({ missingPrograms: [], missingLibraries: [] });
    for (const name of ["/bash", "/cat", "/mount", "/libc.so.6"]) {
      expect(paths.some((path) => path.endsWith(name))).toBe(true);
    }
    expect(paths.some((path) => /\/libmount\.so/.test(path))).toBe(true);
  });
});
