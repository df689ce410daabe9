import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { applyMutation } from "../../tools/mutations/mutation.ts";
import { mutationsPage } from "../../tools/mutations/table.ts";
import { mutations } from "./mutations.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const countBelow = (...folders: readonly string[]): number =>
  mutations.filter(({ file }) => folders.some((folder) => file.startsWith(`${folder}/`))).length;

describe("the list of mutations", () => {
  it.each(mutations.map((mutation) => [mutation.file, mutation.harm, mutation] as const))(
    "%s has the line once: %s",
    async (file, _harm, mutation) => {
      const text = await readFile(pathOf(file), "utf8");
      expect(applyMutation(text, mutation)).not.toBe(text);
      expect(file).not.toMatch(/\.test\.ts$|\/testing\//);
      expect(existsSync(pathOf(mutation.test)), mutation.test).toBe(true);
    },
  );

  it("has none twice", () => {
    expect(new Set(mutations.map(({ file, line, broken }) => [file, line, broken].join("\n"))).size).toBe(
      mutations.length,
    );
  });

  it("is about every part that people rely on", () => {
    expect(mutations.length).toBeGreaterThanOrEqual(30);
    expect(countBelow("controllers", "providers", "packages/controller")).toBeGreaterThanOrEqual(14);
    for (const part of ["tenancy", "steward", "network", "addons", "local-node"]) {
      expect(countBelow(`controllers/${part}`), part).toBeGreaterThanOrEqual(1);
    }
    expect(countBelow("providers/local")).toBeGreaterThanOrEqual(1);
    expect(countBelow("apps/server", "packages/access")).toBeGreaterThanOrEqual(8);
    expect(
      countBelow(
        "apps/butlerctl",
        "apps/butleradm",
        "packages/cli-kit",
        "packages/changes",
        "packages/cluster-operations",
      ),
    ).toBeGreaterThanOrEqual(8);
    expect(countBelow("packages/kube")).toBeGreaterThanOrEqual(2);
    expect(mutations.filter(({ test }) => test.endsWith(".cluster.test.ts")).length).toBeGreaterThanOrEqual(8);
  });

  it("is what README.md shows", async () => {
    expect(await readFile(pathOf("test/mutations/README.md"), "utf8")).toBe(mutationsPage(mutations));
  });
});
