import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Difference } from "./differences.ts";
import { driftMessage } from "./drift-message.ts";

const at = (path: string, live: unknown, wanted: unknown): Difference => ({ path: path.split(" "), live, wanted });

describe("drift messages", () => {
  it.each<[string, string, readonly Difference[], string]>([
    ["a number", "Deployment", [at("spec replicas", 5, 2)], "spec.replicas is 5 (chart: 2)"],
    ["a switch", "Job", [at("spec suspend", true, false)], "spec.suspend is true (chart: false)"],
    [
      "an image",
      "Pod",
      [at("spec containers [web] image", "nginx:2", "nginx:1")],
      "spec.containers[web].image is nginx:2 (chart: nginx:1)",
    ],
    ["a missing number", "Deployment", [at("spec replicas", undefined, 2)], "spec.replicas is missing (chart: 2)"],
    ["a missing text", "Thing", [at("spec token", undefined, "hunter2")], "spec.token is missing"],
    ["something too many", "Thing", [at("spec token", "hunter2", undefined)], "spec.token is not in the chart"],
    ["a text", "Pod", [at("spec args [0]", "hunter2", "x")], "spec.args[0] differs from the chart"],
    ["a map", "Thing", [at("spec image", { a: "hunter2" }, {})], "spec.image differs from the chart"],
    ["a Secret's data", "Secret", [at("data password", "hunter2", "x")], "data.password differs from the chart"],
    ["a Secret's type", "Secret", [at("type", "hunter2", "x")], "type differs from the chart"],
    ["a Secret's switch", "Secret", [at("immutable", true, false)], "immutable differs from the chart"],
    [
      "many",
      "Thing",
      ["a", "b", "c", "d", "e"].map((key) => at(key, 1, 2)),
      "a is 1 (chart: 2); b is 1 (chart: 2); c is 1 (chart: 2); and 2 more",
    ],
  ])("%s", (_what, kind, differences, message) => {
    expect(driftMessage(kind, differences)).toBe(message);
    expect(message).not.toContain("hunter2");
  });

  it("never contain a value of a Secret", () => {
    const secret = fc.constantFrom("hunter2", 17_171_717);
    fc.assert(
      fc.property(secret, secret, fc.constantFrom("data", "image", "type", "[0]"), (live, wanted, key) => {
        expect(driftMessage("Secret", [{ path: ["data", key], live, wanted }])).not.toMatch(/hunter2|17171717/);
      }),
    );
  });
});
