import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseKubernetesVersion, supportedMinors, upgradeFault, versionFault } from "./kubernetes-version.ts";

const { oldest, newest } = supportedMinors;

describe("a Kubernetes version", () => {
  it.each([
    ["v1.36.3", { major: 1, minor: 36, patch: 3, text: "v1.36.3" }],
    ["1.36.3", { major: 1, minor: 36, patch: 3, text: "v1.36.3" }],
    ["v1.36.0-rc.1+build.5", { major: 1, minor: 36, patch: 0, text: "v1.36.0-rc.1+build.5" }],
  ])("is parsed from %s", (text, version) => {
    expect(parseKubernetesVersion(text)).toEqual(version);
  });

  it.each(["", "latest", "1.36", "v1.36.3 ", "v1.36.x", "1.36.3; rm", "v1.36.3\n"])("is not parsed from %j", (text) => {
    expect(parseKubernetesVersion(text)).toBeUndefined();
    expect(versionFault(text)).toContain("must be a full version");
  });

  it("can be upgraded by one minor version and never downgraded, with any patch version", () => {
    const minor = fc.integer({ min: oldest, max: newest });
    const patch = fc.nat({ max: 30 });
    fc.assert(
      fc.property(minor, patch, minor, patch, (fromMinor, fromPatch, toMinor, toPatch) => {
        const fault = upgradeFault(`v1.${fromMinor}.${fromPatch}`, `v1.${toMinor}.${toPatch}`);
        const isAllowed = toMinor === fromMinor || toMinor === fromMinor + 1;
        expect(fault === undefined).toBe(isAllowed);
      }),
    );
  });

  it("must be supported", () => {
    expect(versionFault(`v1.${newest}.0`)).toBeUndefined();
    expect(versionFault(`v1.${newest + 1}.0`)).toContain("is not supported");
    expect(versionFault(`v1.${oldest - 1}.9`)).toContain("is not supported");
    expect(upgradeFault(`v1.${newest}.0`, `v1.${newest + 1}.0`)).toContain("is not supported");
  });
});
