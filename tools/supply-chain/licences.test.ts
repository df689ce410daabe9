import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AddonDefinition } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog-files.ts";
import type { LockFile } from "../lock/lock-file.ts";
import { repositoryRoot } from "../steps.ts";
import { catalogLicences } from "./catalog-licences.ts";
import { judgeLicence, licenceFaults } from "./licences.ts";

describe("a licence", () => {
  it.each([
    ["MIT", "allowed"],
    ["MPL-2.0", "allowed"],
    ["AGPL-3.0-only", "refused"],
    ["AGPL-3.0", "refused"],
    ["GPL-2.0-only WITH Classpath-exception-2.0", "refused"],
    ["SSPL-1.0", "refused"],
    ["RSALv2 OR SSPL-1.0", "refused"],
    ["(MIT OR GPL-3.0-only)", "allowed"],
    ["MIT AND AGPL-3.0-only", "refused"],
    ["MIT AND (AGPL-3.0-only OR ISC)", "allowed"],
    ["Apache-2.0 WITH LLVM-exception", "allowed"],
    ["UNLICENSED", "unknown"],
    ["SEE LICENSE IN LICENSE", "unknown"],
    ["(MIT", "unknown"],
    ["MIT MIT", "unknown"],
    ["", "unknown"],
    [undefined, "unknown"],
  ])("%s is %s", (expression, expected) => {
    expect(judgeLicence(expression)).toBe(expected);
  });
});

describe("the dependencies", () => {
  it("have licences that are allowed", async () => {
    const lock = JSON.parse(await readFile(join(repositoryRoot, "package-lock.json"), "utf8")) as LockFile;
    expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
    expect(licenceFaults(lock.packages)).toEqual([]);
  });

  it("are reported when they are not, or state none", () => {
    const packages = {
      "": { version: "1.0.0" },
      "apps/server": { version: "1.0.0" },
      "node_modules/@butler/server": { link: true },
      "node_modules/good": { version: "1.0.0", license: "ISC" },
      "node_modules/good/node_modules/@x/viral": { version: "2.0.0", license: "AGPL-3.0-or-later" },
      "node_modules/silent": { version: "3.0.0" },
    };
    expect(licenceFaults(packages)).toEqual([
      "@x/viral 2.0.0: license AGPL-3.0-or-later is refused",
      "silent 3.0.0: license not stated is unknown",
    ]);
  });
});

describe("the catalog", async () => {
  const definitions = [...(await readCatalog()).values()].map((value) => parseObject(AddonDefinition, value));

  it("states the licence of every add-on, and of no other", () => {
    expect(Object.keys(catalogLicences).sort()).toEqual(definitions.map(({ metadata }) => metadata.name).sort());
  });

  it.each(definitions.map(({ metadata, spec }) => [metadata.name, spec.description ?? ""] as const))(
    "tells users of %s when its licence may oblige them",
    (name, description) => {
      const licence = catalogLicences[name];
      const verdict = judgeLicence(licence);
      expect(verdict, licence).not.toBe("unknown");
      const named = (licence ?? "").split(/ (?:OR|AND) /).filter((each) => judgeLicence(each) === "refused");
      if (verdict === "refused") for (const each of named) expect(description).toContain(each);
      else expect(description).not.toMatch(/AGPL|SSPL/);
    },
  );
});
