import { describe, expect, it } from "vitest";
import { findMachineProblems, type MachineFacts, packagesOf, refuseProblems } from "./machine-checks.ts";

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

describe("findMachineProblems", () => {
  it("finds none on a suitable machine", () => {
    expect(findMachineProblems(fit)).toEqual([]);
    expect(() => refuseProblems([])).not.toThrow();
  });

  it.each<[string, Partial<MachineFacts>, string]>([
    ["another system", { platform: "darwin" }, "the engine runs only on Linux, not on darwin"],
    ["an ordinary user", { userId: 1000 }, "only root can create namespaces and cgroups"],
    ["no namespaces", { hasNetworkNamespaces: false }, "the kernel does not support network namespaces"],
    ["no overlay", { hasOverlay: false }, "the kernel does not support the overlay file system"],
    [
      "a disk with little room",
      { freeDiskBytes: 2 ** 30 },
      "not enough disk space in /var/lib/butler: 1.0 GiB free, 6.0 GiB required",
    ],
    [
      "a disk that is full",
      { freeDiskBytes: 1000, hasEngine: true },
      "not enough disk space in /var/lib/butler: 0.0 GiB free, 1.0 GiB required",
    ],
    ["little memory", { memoryBytes: 2 ** 30 }, "not enough memory: the machine has 1.0 GiB, 2.0 GiB required"],
    ["missing programs", { missingPrograms: ["iptables"] }, "missing programs: iptables"],
  ])("names %s with a remedy", (_what, difference, expected) => {
    const [problem] = findMachineProblems({ ...fit, ...difference });
    expect(problem?.what).toBe(expected);
    expect(problem?.remedy.length).toBeGreaterThan(10);
    expect(() => refuseProblems(findMachineProblems({ ...fit, ...difference }))).toThrow(expected);
  });

  it("requires less disk space for an existing engine", () => {
    expect(findMachineProblems({ ...fit, freeDiskBytes: 2 * 2 ** 30, hasEngine: true })).toEqual([]);
  });

  it("reports only the operating system if it is not Linux", () => {
    expect(findMachineProblems({ ...fit, platform: "win32", userId: -1, hasOverlay: false })).toHaveLength(1);
  });

  it("reports all of them at once", () => {
    expect(findMachineProblems({ ...fit, userId: 5, hasOverlay: false })).toHaveLength(2);
  });

  it("maps programs to their packages", () => {
    expect(packagesOf(["iptables-restore", "iptables", "ip"])).toEqual(["iproute2", "iptables"]);
  });
});
