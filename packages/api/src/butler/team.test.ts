import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { effectiveLimits } from "./team-limits.ts";
import { Team } from "./team.ts";
import { effectiveRole } from "./team-role.ts";

const limits = (resourceLimits: Record<string, unknown>) => {
  const team = parseObject(Team, {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "Team",
    metadata: { name: "payments" },
    spec: { resourceLimits },
  });
  return effectiveLimits(team.spec.resourceLimits ?? { defaultNodeCount: 0 });
};

describe("effectiveRole", () => {
  it.each([
    ["admin", "admin"],
    ["operator", "operator"],
    ["viewer", "viewer"],
    ["member", "operator"],
  ] as const)("reads %s as %s", (stored, role) => {
    expect(effectiveRole(stored)).toBe(role);
  });
});

describe("effectiveLimits", () => {
  it("reads the deprecated fields", () => {
    expect(limits({ maxTotalCPU: "200", maxTotalMemory: "1Ti", maxTotalStorage: "10Ti" })).toEqual({
      defaultNodeCount: 3,
      maxCPUCores: "200",
      maxMemory: "1Ti",
      maxStorage: "10Ti",
    });
  });

  it("prefers the current fields, individually", () => {
    expect(limits({ maxCPUCores: "64", maxTotalCPU: "200", maxTotalMemory: "1Ti" })).toMatchObject({
      maxCPUCores: "64",
      maxMemory: "1Ti",
    });
  });

  it("accepts 0 in a current field as a limit", () => {
    expect(limits({ maxCPUCores: 0, maxTotalCPU: "200" })).toMatchObject({ maxCPUCores: 0 });
  });

  it("leaves fields unset that are not set in either form", () => {
    expect(limits({ maxClusters: 5 })).toEqual({ defaultNodeCount: 3, maxClusters: 5 });
  });

  it("keeps the other limits", () => {
    expect(limits({ maxClusters: 0, deniedAddons: ["argocd"] })).toMatchObject({
      maxClusters: 0,
      deniedAddons: ["argocd"],
    });
  });
});
