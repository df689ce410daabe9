import { describe, expect, it } from "vitest";
import { completeLock, problemsOf, withoutAdded } from "./complete-lock.ts";
import { type LockEntries, type LockEntry, printLock } from "./lock-file.ts";

const darwin = "@lint/darwin-arm64";
const forDarwin = { optionalDependencies: { [darwin]: "1.0.0" } };
const asksForDarwin = { version: "1.0.0", integrity: "sha512-a", ...forDarwin };
const addedDarwin = { version: "1.0.0", cpu: ["arm64"], optional: true, os: ["darwin"] };

interface Case {
  readonly title: string;
  readonly packages: LockEntries;
  /** The added entries. */
  readonly added: Readonly<Record<string, LockEntry>>;
}

const cases: readonly Case[] = [
  {
    title: "a package at the top",
    packages: { "node_modules/lint": asksForDarwin },
    added: { [`node_modules/${darwin}`]: addedDarwin },
  },
  {
    title: "nothing when the entry is there",
    packages: {
      "node_modules/lint": asksForDarwin,
      [`node_modules/${darwin}`]: { ...addedDarwin, integrity: "sha512-b" },
    },
    added: {},
  },
  {
    title: "nothing when a workspace stands in for it",
    packages: {
      "node_modules/lint": asksForDarwin,
      [`node_modules/${darwin}`]: { resolved: "packages/darwin", link: true },
    },
    added: {},
  },
  {
    title: "the top for what packages further down ask for",
    packages: { "node_modules/tool/node_modules/lint": asksForDarwin },
    added: { [`node_modules/${darwin}`]: addedDarwin },
  },
  {
    title: "a place further down where the top has another version",
    packages: {
      "node_modules/tool/node_modules/lint": asksForDarwin,
      [`node_modules/${darwin}`]: { version: "2.0.0" },
    },
    added: { [`node_modules/tool/node_modules/${darwin}`]: addedDarwin },
  },
  {
    title: "a place further down still where that is taken too",
    packages: {
      "node_modules/tool/node_modules/lint": asksForDarwin,
      [`node_modules/tool/node_modules/${darwin}`]: { version: "2.0.0" },
    },
    added: { [`node_modules/tool/node_modules/lint/node_modules/${darwin}`]: addedDarwin },
  },
  {
    title: "the top for the package at the top, when both versions are missing",
    packages: {
      "node_modules/a/node_modules/lint": asksForDarwin,
      "node_modules/lint": { version: "2.0.0", optionalDependencies: { [darwin]: "2.0.0" } },
    },
    added: {
      [`node_modules/${darwin}`]: { ...addedDarwin, version: "2.0.0" },
      [`node_modules/a/node_modules/${darwin}`]: addedDarwin,
    },
  },
  {
    title: "what a workspace asks for, beside it where the top has another version",
    packages: {
      "packages/std": { version: "0.1.0", optionalDependencies: { [darwin]: "1.0.0", "x-linux-x64-gnu": "1.0.0" } },
      [`node_modules/${darwin}`]: { version: "2.0.0" },
    },
    added: {
      [`packages/std/node_modules/${darwin}`]: addedDarwin,
      "node_modules/x-linux-x64-gnu": {
        version: "1.0.0",
        cpu: ["x64"],
        libc: ["glibc"],
        optional: true,
        os: ["linux"],
      },
    },
  },
  {
    title: "what the project asks for",
    packages: { "": forDarwin },
    added: { [`node_modules/${darwin}`]: addedDarwin },
  },
  {
    title: "the optional package of an optional package",
    packages: {
      "": { optionalDependencies: { lint: "^1.0.0" } },
      "node_modules/lint": { ...asksForDarwin, optional: true },
    },
    added: { [`node_modules/${darwin}`]: addedDarwin },
  },
  {
    title: "a package of WebAssembly, which fits no machine",
    packages: { "node_modules/lint": { optionalDependencies: { "@lint/wasm32-wasi": "1.0.0" } } },
    added: { "node_modules/@lint/wasm32-wasi": { version: "1.0.0", cpu: ["wasm32"], optional: true } },
  },
  {
    title: "nothing that comes inside the package",
    packages: {
      "node_modules/lint": { ...asksForDarwin, bundleDependencies: [darwin] },
      "node_modules/fmt": { ...asksForDarwin, bundleDependencies: true },
    },
    added: {},
  },
  {
    title: "what a package that comes inside another asks for, as npm does",
    packages: {
      "node_modules/tool": { version: "1.0.0", bundleDependencies: ["lint"] },
      "node_modules/tool/node_modules/lint": { version: "1.0.0", inBundle: true, ...forDarwin },
    },
    added: { [`node_modules/${darwin}`]: addedDarwin },
  },
  {
    title: "what the project puts into its own archive, as npm does",
    packages: { "": { ...forDarwin, bundleDependencies: [darwin] } },
    added: { [`node_modules/${darwin}`]: addedDarwin },
  },
  {
    title: "a package for development, when nothing else asks for it",
    packages: { "node_modules/a": { ...asksForDarwin, dev: true }, "node_modules/b": { ...asksForDarwin, dev: true } },
    added: { [`node_modules/${darwin}`]: { ...addedDarwin, dev: true } },
  },
  {
    title: "a package for use, when one package for use asks for it",
    packages: { "node_modules/a": { ...asksForDarwin, dev: true, peer: true }, "node_modules/b": asksForDarwin },
    added: { [`node_modules/${darwin}`]: addedDarwin },
  },
];

describe("completing a lock file adds", () => {
  it.each(cases)("$title", ({ packages, added }) => {
    const completed = completeLock({ packages });
    expect(completed.lock.packages).toEqual({ ...packages, ...added });
    expect(completed.added.toSorted()).toEqual(Object.keys(added).toSorted());
    expect(problemsOf(completed.lock)).toEqual([]);
  });

  it.each([
    ["whose name says no platform", { fsevents: "2.3.3" }],
    ["of which any version will do", { [darwin]: "^1.0.0" }],
    ["under another name", { [darwin]: "npm:@other/darwin-arm64@1.0.0" }],
  ])("no package %s, and reports it", (_, optionalDependencies) => {
    const packages = { "node_modules/lint": { version: "1.0.0", optionalDependencies } };
    const completed = completeLock({ packages });
    expect(completed.lock.packages).toEqual(packages);
    expect(problemsOf(completed.lock)).toHaveLength(1);
  });

  it("nothing in place of another version", () => {
    const packages = {
      "node_modules/lint": asksForDarwin,
      [`node_modules/lint/node_modules/${darwin}`]: { version: "2.0.0" },
    };
    expect(completeLock({ packages }).added).toEqual([]);
    expect(problemsOf({ packages })).toEqual([`${darwin}@1.0.0 has no entry, but is required by node_modules/lint.`]);
  });
});

describe("a lock file", () => {
  const verified = {
    "": { optionalDependencies: { inside: "1.0.0" } },
    "node_modules/inside": { version: "1.0.0", optional: true, inBundle: true },
    "node_modules/lint": { ...asksForDarwin, optional: true },
    "node_modules/std": { resolved: "packages/std", link: true, optional: true },
    "packages/std": { version: "0.1.0" },
  };

  it("loses only what was added", () => {
    const { lock } = completeLock({ packages: verified });
    expect(withoutAdded(lock)).toEqual({ packages: verified });
  });

  it("is invalid when it names a registry", () => {
    const packages = {
      ...verified,
      "node_modules/x": { version: "1.0.0", resolved: "https://registry.example/x.tgz" },
    };
    expect(problemsOf({ packages })).toContain("node_modules/x has a registry-specific URL.");
  });

  it("is written in npm's order", () => {
    const packages = { "node_modules/b": asksForDarwin, "node_modules/@B/b": {}, "": {}, "apps/a": {} };
    const { lock } = completeLock({ packages });
    const { packages: written } = JSON.parse(printLock(lock)) as typeof lock;
    expect(Object.keys(written)).toEqual([
      "",
      "apps/a",
      "node_modules/@B/b",
      `node_modules/${darwin}`,
      "node_modules/b",
    ]);
    expect(Object.keys(written[`node_modules/${darwin}`] ?? {})).toEqual(["version", "cpu", "optional", "os"]);
  });
});
