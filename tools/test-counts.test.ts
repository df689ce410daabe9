import { describe, expect, it } from "vitest";
import { countResults, countWithRepeats, failuresOf, filesToRepeat, type VitestReport } from "./test-counts.ts";

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

describe("a run of which some files failed", () => {
  const first = reportOf(
    fileWith("a", "passed", "passed"),
    fileWith("b", "failed", "passed", "skipped"),
    fileWith("c"),
  );

  it("names what failed, and repeats those files", () => {
    expect(filesToRepeat(first)).toEqual(["b", "c"]);
    expect(failuresOf(first)).toEqual(["b: test 0", "c"]);
  });

  it("is good when they pass alone, with every test counted once", () => {
    const second = reportOf(fileWith("b", "passed", "passed", "passed"), fileWith("c", "passed"));
    expect(countWithRepeats(first, second)).toEqual({ passed: 6, failed: 0, skipped: 0 });
  });

  it("is bad when one of them fails again", () => {
    const second = reportOf(fileWith("b", "passed", "failed", "passed"), fileWith("c", "passed"));
    expect(countWithRepeats(first, second)).toMatchObject({ passed: 5, failed: 1 });
  });

  it("is bad at once when they are many", () => {
    const many = Array.from({ length: 6 }, (_, at) => fileWith(`file ${at}`, "failed"));
    expect(filesToRepeat(reportOf(...many))).toEqual([]);
  });
});
