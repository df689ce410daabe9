import { describe, expect, it } from "vitest";
import { countResults } from "./test-counts.ts";

describe("countResults", () => {
  it("counts tests", () => {
    const testResults = [{ status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] }];
    const report = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, testResults };
    expect(countResults(report)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  });

  it("counts a file that could not be run as a failure", () => {
    const testResults = [{ status: "failed", assertionResults: [] }];
    const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, testResults };
    expect(countResults(report).failed).toBe(1);
  });
});
