import { describe, expect, it } from "vitest";
import { isAllowedProvider } from "./provider-reach.ts";

describe("allowed ProviderConfigs", () => {
  const platform = { name: "lab", namespace: "butler-system" };
  const own = { name: "lab", namespace: "payments" };

  it.each([
    ["all, if none is listed", own, [], true],
    ["all, if there is no list", own, undefined, true],
    ["the platform's, by name", platform, ["lab"], true],
    ["the platform's, by namespace and name", platform, ["other", "butler-system/lab"], true],
    ["the platform's, referenced without a namespace", { name: "lab", namespace: undefined }, ["lab"], true],
    ["not a team's of that name", own, ["lab"], false],
    ["a team's, by namespace and name", own, ["payments/lab"], true],
    ["not the platform's of a team's name", platform, ["payments/lab"], false],
    ["not another", platform, ["office"], false],
  ])("are %s", (_what, key, allowed, expected) => {
    expect(isAllowedProvider(key, allowed)).toBe(expected);
  });
});
