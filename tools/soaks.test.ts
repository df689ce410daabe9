import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, listSoaks, parseSoakRequest, soaks } from "./soaks.ts";
import { repositoryRoot } from "./steps.ts";

describe("soaks", () => {
  it("have unique names", () => {
    const names = soaks.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it.each(soaks)("$name runs existing files and benchmarks", async (soak) => {
    const { benches = [] } = soak;
    const files = await filesOf(soak);
    expect(files.length + benches.length).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(join(repositoryRoot, file)), file).toBe(true);
    for (const [bench] of benches) {
      expect(existsSync(join(repositoryRoot, "test/bench", `${bench}.ts`)), bench).toBe(true);
    }
  });

  it("of all properties include exactly the files with property tests", async () => {
    const all = soaks.find(({ files }) => files === "with properties") ?? expect.fail("no soak of all properties");
    const files = await filesOf(all);
    expect(files).toContain("packages/ipam/src/usage.test.ts");
    expect(files).toContain("apps/console/src/parts/line-diff.test.ts");
    expect(files).not.toContain("packages/testkit/src/soak.test.ts");
    expect(files.filter((file) => file.includes("node_modules"))).toEqual([]);
  });

  it("are listed with descriptions", () => {
    const lines = listSoaks().split("\n");
    expect(lines).toHaveLength(soaks.length);
    for (const [at, { name, what }] of soaks.entries()) {
      expect(lines[at]).toContain(` ${name} `);
      expect(lines[at]).toContain(what);
    }
  });
});

describe("a request for a soak", () => {
  it("names a soak, and a seed to repeat one", () => {
    expect(parseSoakRequest(["ipam"])).toEqual({ soak: expect.objectContaining({ name: "ipam" }) as unknown });
    expect(parseSoakRequest(["ipam", "--seed", "42"])).toMatchObject({ soak: { name: "ipam" }, seed: 42 });
    expect(parseSoakRequest(["--seed=42", "ipam"])).toMatchObject({ soak: { name: "ipam" }, seed: 42 });
  });

  it.each([
    [],
    ["nothing"],
    ["ipam", "claims"],
    ["ipam", "--seed"],
    ["ipam", "--seed", "0"],
    ["ipam", "--seed", "1.5"],
    ["ipam", "--seed", "many"],
    ["ipam", "--sed", "1"],
  ])("is invalid: %j %j %j", (...args) => {
    expect(parseSoakRequest(args)).toBeUndefined();
  });
});
