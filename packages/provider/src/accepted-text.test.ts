import { describe, expect, it } from "vitest";
import {
  firstSet,
  isDnsLabel,
  isDnsSubdomain,
  isLabelValue,
  isNamespacedName,
  isQualifiedName,
  isUuid,
} from "./accepted-text.ts";

const longName = "a".repeat(63);
const domain = Array.from({ length: 4 }, () => "a".repeat(62)).join(".");

describe("accepted names", () => {
  it.each<[string, (text: string) => boolean, string[], string[]]>([
    ["isDnsLabel", isDnsLabel, ["a", "0", "a-b", longName], ["", "-a", "a-", "A", "a.b", `${longName}a`, "a\n", "a b"]],
    [
      "isDnsSubdomain",
      isDnsSubdomain,
      ["a", "a.b", "rocky-9.5", domain, "a".repeat(253)],
      ["", ".a", "a.", "a..b", `${domain}.aaaa`],
    ],
    [
      "isQualifiedName",
      isQualifiedName,
      ["a", "A_b.c-d", "example.com/a", `${domain}/${longName}`],
      ["", "/", "a/", "/a", "a/b/c", "Example.com/a", "example.com/-a", `${longName}a`, "a=b", "a,b", "é"],
    ],
    [
      "isLabelValue",
      isLabelValue,
      ["", "a", "A.b_c-d", longName],
      ["-a", "a-", "a b", "a,b", "a=b", `${longName}a`, "\n"],
    ],
    [
      "isNamespacedName",
      isNamespacedName,
      ["a/b", "default/rocky-9.5"],
      ["a", "a/", "/b", "a/b/c", "a.b/c", "../b", "a/B"],
    ],
    [
      "isUuid",
      isUuid,
      ["11111111-aaaa-4bbb-8ccc-000000000001", "11111111-AAAA-4BBB-8CCC-000000000001"],
      ["", "1", "11111111aaaa4bbb8ccc000000000001", "11111111-aaaa-4bbb-8ccc-00000000000g"],
    ],
  ])("%s", (_name, accepts, good, bad) => {
    expect(good.filter((text) => !accepts(text))).toEqual([]);
    expect(bad.filter((text) => accepts(text))).toEqual([]);
  });

  it("firstSet skips unset texts", () => {
    expect(firstSet(undefined, "", "a", "b")).toBe("a");
    expect(firstSet(undefined, "")).toBeUndefined();
  });
});
