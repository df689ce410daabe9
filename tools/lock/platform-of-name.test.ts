import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../steps.ts";
import type { LockFile } from "./lock-file.ts";
import { platformOfName } from "./platform-of-name.ts";

describe("the platform in the name of a package", () => {
  it.each([
    ["@oxlint/binding-darwin-arm64", { os: ["darwin"], cpu: ["arm64"] }],
    ["@oxlint/binding-linux-x64-musl", { os: ["linux"], cpu: ["x64"], libc: ["musl"] }],
    ["@oxlint/binding-linux-ppc64-gnu", { os: ["linux"], cpu: ["ppc64"], libc: ["glibc"] }],
    ["@oxlint/binding-linux-arm-musleabihf", { os: ["linux"], cpu: ["arm"] }],
    ["@oxlint/binding-android-arm-eabi", { os: ["android"], cpu: ["arm"] }],
    ["@oxlint/binding-win32-ia32-msvc", { os: ["win32"], cpu: ["ia32"] }],
    ["@oxlint-tsgolint/win32-x64", { os: ["win32"], cpu: ["x64"] }],
    ["@rolldown/binding-wasm32-wasi", { cpu: ["wasm32"] }],
    ["linux-x64", { os: ["linux"], cpu: ["x64"] }],
    ["fsevents", undefined],
    ["selinux-x64", undefined],
    ["linux-x64-tools", undefined],
    ["binding-linux-x128", undefined],
  ])("%s", (name, platform) => {
    expect(platformOfName(name)).toEqual(platform);
  });

  it("is the one that the package itself declares, for any registry", () => {
    const { packages } = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8")) as LockFile;
    const known = Object.entries(packages)
      .filter(([path, entry]) => entry.integrity !== undefined && platformOfName(path) !== undefined)
      .map(([path, { os, cpu, libc }]) => [path, { os, cpu, libc }] as const);
    expect(known.length).toBeGreaterThan(50);
    expect(known.map(([path]) => [path, platformOfName(path)])).toEqual(known);
  });
});
