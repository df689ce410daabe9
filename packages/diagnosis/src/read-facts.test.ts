import { describe, expect, it } from "vitest";
import { lastLine, warningsOf } from "./read-facts.ts";

describe("facts", () => {
  it("lists warnings newest first, with either kind of timestamp", () => {
    const event = (name: string, body: Record<string, unknown>) => ({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, creationTimestamp: "2026-01-01T00:00:00Z" },
      type: "Warning",
      reason: name,
      ...body,
    });
    const events = [
      event("old", { lastTimestamp: "2026-01-02T00:00:00Z", count: 7, involvedObject: { kind: "Pod", name: "p" } }),
      event("new", { eventTime: "2026-01-03T00:00:00Z" }),
      event("oldest", {}),
      { ...event("normal", {}), type: "Normal" },
    ];
    expect(warningsOf(events).map(({ reason, count, object }) => [reason, count, object.name])).toEqual([
      ["new", 1, ""],
      ["old", 7, "p"],
      ["oldest", 1, ""],
    ]);
  });

  it("extracts the last line of a log", () => {
    expect(lastLine("one\nE1115 12:00:00.123456       1 run.go:72] unknown flag\n\n")).toBe("run.go:72] unknown flag");
    expect(lastLine("")).toBe("");
  });
});
