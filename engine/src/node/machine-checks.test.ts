import { describe, expect, it } from "vitest";
import { findObstacles, type MachineFacts, packagesOf, refuseObstacles } from "./machine-checks.ts";

const fit: MachineFacts = {
  platform: "linux",
  userId: 0,
  home: "/var/lib/butler",
  hasEngine: false,
  freeDiskBytes: 50 * 2 ** 30,
  memoryBytes: 16 * 2 ** 30,
  missingPrograms: [],
  hasNetworkNamespaces: true,
  hasOverlay: true,
};

describe("findObstacles", () => {
  it("finds none on a machine that is fit", () => {
    expect(findObstacles(fit)).toEqual([]);
    expect(() => refuseObstacles([])).not.toThrow();
  });

  it.each<[string, Partial<MachineFacts>, string]>([
    ["another system", { platform: "darwin" }, "the engine runs on Linux, not on darwin"],
    ["an ordinary user", { userId: 1000 }, "only root can make namespaces and cgroups"],
    ["no namespaces", { hasNetworkNamespaces: false }, "the kernel has no network namespaces"],
    ["no overlay", { hasOverlay: false }, "the kernel has no overlay file system"],
    [
      "a disk with little room",
      { freeDiskBytes: 2 ** 30 },
      "only 1.0 GiB of disk are free in /var/lib/butler, and 6.0 GiB are needed",
    ],
    [
      "a disk that is full",
      { freeDiskBytes: 1000, hasEngine: true },
      "only 0.0 GiB of disk are free in /var/lib/butler, and 1.0 GiB are needed",
    ],
    ["little memory", { memoryBytes: 2 ** 30 }, "the machine has 1.0 GiB of memory, and 2.0 GiB are needed"],
    ["missing programs", { missingPrograms: ["iptables"] }, "these programs are missing: iptables"],
  ])("names %s with a remedy", (_what, difference, expected) => {
    const [obstacle] = findObstacles({ ...fit, ...difference });
    expect(obstacle?.what).toBe(expected);
    expect(obstacle?.remedy.length).toBeGreaterThan(10);
    expect(() => refuseObstacles(findObstacles({ ...fit, ...difference }))).toThrow(expected);
  });

  it("asks for less where the engine lives already", () => {
    expect(findObstacles({ ...fit, freeDiskBytes: 2 * 2 ** 30, hasEngine: true })).toEqual([]);
  });

  it("names nothing but the system on another one", () => {
    expect(findObstacles({ ...fit, platform: "win32", userId: -1, hasOverlay: false })).toHaveLength(1);
  });

  it("names all of them at once", () => {
    expect(findObstacles({ ...fit, userId: 5, hasOverlay: false })).toHaveLength(2);
  });

  it("knows the packages of programs", () => {
    expect(packagesOf(["iptables-restore", "iptables", "ip"])).toEqual(["iproute2", "iptables"]);
  });
});
