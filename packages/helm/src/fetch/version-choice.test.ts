import fc from "fast-check";
import semver from "semver";
import { describe, expect, it } from "vitest";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { chooseVersion } from "./version-choice.ts";

const offers = (...versions: string[]) => versions.map((version) => ({ version }));
const wish = (version?: string) => ({ host: "charts.example.com", name: "web", version });

describe("the choice of a version", () => {
  it.each([
    [["1.0.0", "1.10.0", "1.9.0"], undefined, "1.10.0"],
    [["1.0.0", "2.0.0-rc.1"], undefined, "1.0.0"],
    [["v1.0.0", "v0.9.0"], undefined, "v1.0.0"],
    [["1.0.0", "latest", "not a version"], undefined, "1.0.0"],
    [["1.0.0+a", "1.0.0+b"], undefined, "1.0.0+b"],
    [["1.0.0", "2.0.0-rc.1"], "2.0.0-rc.1", "2.0.0-rc.1"],
    [["v1.2.3"], "1.2.3", "v1.2.3"],
    [["1.2.3"], "v1.2.3", "1.2.3"],
    [["v1.2.3", "1.2.3"], "1.2.3", "1.2.3"],
    [["1.2.3+b1", "1.2.3"], "1.2.3+b1", "1.2.3+b1"],
  ])("from %j, %s wanted, chooses %s", (there, wanted, chosen) =>
    expect(chooseVersion(offers(...there), wish(wanted)).version).toBe(chosen),
  );

  it.each([
    [["1.0.0"], "1.0.1", "1.0.0"],
    [["1.2.3+b1"], "1.2.3", "1.2.3+b1"],
    [["1.0.0"], "^1.0.0", "1.0.0"],
    [["1.0.0-rc.1"], undefined, "1.0.0-rc.1"],
    [[], undefined, "Specify a version"],
  ])("from %j, %s wanted, fails and suggests %s", (there, wanted, suggestion) => {
    let error: unknown;
    try {
      chooseVersion(offers(...there), wish(wanted));
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ChartUnavailable);
    expect(error).toMatchObject({ reason: "VersionNotFound", isPassing: false });
    expect((error as ChartUnavailable).hint).toContain(suggestion);
  });

  it("of the newest does not depend on the order, and no version is newer", () => {
    const numbers = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((parts) => parts.join("."));
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1 }), fc.func(fc.nat()), (versions, order) => {
        const chosen = chooseVersion(offers(...versions), wish()).version;
        const shuffled = versions.toSorted((one, other) => order(one) - order(other));
        expect(chooseVersion(offers(...shuffled), wish()).version).toBe(chosen);
        expect(versions.every((version) => semver.lte(version, chosen))).toBe(true);
      }),
    );
  });
});
