import { describe, expect, it } from "vitest";
import { countResults, failuresOf, type VitestReport } from "./counts.ts";

function fileWith(name: string, ...statuses: readonly string[]): VitestReport["testResults"][number] {
  const isGood = statuses.length > 0 && !statuses.includes("failed");
  return {
    name,
    status: isGood ? "passed" : "failed",
    assertionResults: statuses.map((status, at) => ({ status, fullName: `test ${at}` })),
  };
}

function reportOf(...testResults: VitestReport["testResults"]): VitestReport {
  const count = (wanted: string): number =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted).length;
  return {
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: count("skipped"),
    testResults,
  };
}

describe("countResults", () => {
  it("counts tests", () => {
    const report = reportOf(fileWith("a", "failed", "passed"), fileWith("b", "passed", "skipped"));
    expect(countResults(report)).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  it("counts a file that could not be run as a failure", () => {
    expect(countResults(reportOf(fileWith("a", "passed"), fileWith("b")))).toMatchObject({ passed: 1, failed: 1 });
  });
});

describe("failuresOf", () => {
  it("names each failed test with its file, and files that could not be run", () => {
    const report = reportOf(
      fileWith("a", "passed", "passed"),
      fileWith("b", "failed", "passed", "skipped"),
      fileWith("c"),
    );
    expect(failuresOf(report)).toEqual(["b: test 0", "c"]);
  });
});
