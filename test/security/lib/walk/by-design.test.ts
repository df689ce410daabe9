import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { byDesign, inWords, isForeign } from "./by-design.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/component-permissions.md"), "utf8");
const unwrapped = page.replaceAll(/ +/g, " ");

describe("what components reach by design", () => {
  it.each(Object.entries(byDesign))("is documented for %s", (component, powers) => {
    const missing = Object.entries(powers).filter(
      ([power, reason]) => !unwrapped.includes(`| \`${component}\` | ${power} | ${reason} |`),
    );
    expect(missing).toEqual([]);
  });

  it("documents nothing else", () => {
    const rows = unwrapped.split("\n").filter((line) => line.startsWith("| `butler-"));
    expect(rows.length).toBe(Object.values(byDesign).reduce((sum, powers) => sum + Object.keys(powers).length, 0));
  });

  it.each(["is cluster-admin", "becomes an account of Kubernetes", "becomes an account of others"])(
    "never includes: %s",
    (power) => {
      expect(Object.values(byDesign).flatMap((powers) => Object.keys(powers))).not.toContain(power);
    },
  );

  it.each([
    ["becomes kube-system/generic-garbage-collector", "becomes an account of Kubernetes"],
    ["becomes elsewhere/deployer", "becomes an account of others"],
    ["becomes butler-system/butler-controller", "becomes butler-system/butler-controller"],
    ["reads Secrets in butler-cli-admins", "reads Secrets of command lines"],
    ["becomes system:admin", "becomes system:admin"],
  ])("puts %s in words", (text, words) => {
    expect(inWords(text)).toBe(words);
  });

  it.each([
    ["kube-system/default", true],
    ["system:masters", true],
    ["butler-system/butler-steward", false],
    ["root@example.com as butler:platform:admin", false],
  ])("continues the walk from identities of Butler only: %s", (name, expected) => {
    expect(isForeign(name)).toBe(expected);
  });
});
