import { Team, versionFault } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { versionsFor } from "./kubernetes-versions.ts";
import { newObject } from "./writing.ts";

const aTeam = (allowedKubernetesVersions: readonly string[], kubernetesVersion?: string) =>
  parseObject(
    Team,
    newObject(
      Team,
      { name: "payments" },
      { spec: { resourceLimits: { allowedKubernetesVersions }, clusterDefaults: { kubernetesVersion } } },
    ),
  );

describe("versionsFor", () => {
  it("lists all supported control plane versions, newest first", () => {
    const { defaultVersion, minors } = versionsFor(undefined);
    expect(versionFault(defaultVersion)).toBeUndefined();
    for (const { minor, versions } of minors) {
      expect([versionFault(`${minor}.0`), versions]).toEqual([undefined, []]);
    }
    const numbers = minors.map(({ minor }) => Number(minor.slice(3)));
    expect(numbers).toEqual(numbers.toSorted((left, right) => right - left));
    expect(versionFault(`v1.${(numbers[0] ?? 0) + 1}.0`)).toBeDefined();
    expect(versionFault(`v1.${(numbers.at(-1) ?? 0) - 1}.0`)).toBeDefined();
  });

  it.each([
    [["v1.34"], [{ minor: "v1.34", versions: [] }]],
    [[" 1.34.2 ", "v1.34.1"], [{ minor: "v1.34", versions: ["v1.34.2", "v1.34.1"] }]],
    [
      ["1.35", "v1.35.1", "1.34.1"],
      [
        { minor: "v1.35", versions: [] },
        { minor: "v1.34", versions: ["v1.34.1"] },
      ],
    ],
    [["v1.99", "v2.34.1", "nonsense"], []],
  ])("lists only versions that the team allows: %o", (allowed, minors) => {
    expect(versionsFor(aTeam(allowed)).minors).toEqual(minors);
  });

  it("uses the team's own default", () => {
    expect(versionsFor(aTeam([], "1.34.1")).defaultVersion).toBe("v1.34.1");
  });
});
