import { describe, expect, it } from "vitest";
import { toolNames } from "./lock-file.ts";
import { allTools, controlPlaneTools, nodeTools } from "./tool-groups.ts";

describe("tool groups", () => {
  it("are disjoint and contain only known tools", () => {
    const grouped: readonly string[] = [...controlPlaneTools, ...nodeTools];
    expect(new Set(grouped).size).toBe(grouped.length);
    expect(allTools).toEqual(toolNames);
    expect(grouped.filter((name) => !allTools.some((each) => each === name))).toEqual([]);
  });
});
