import { describe, expect, it } from "vitest";
import { causesOf, countResults, failuresOf, filesToRepeat, type VitestReport, withRepeats } from "./counts.ts";

function fileWith(name: string, ...statuses: readonly string[]): VitestReport["testResults"][number] {
  const isGood = statuses.length > 0 && !statuses.includes("failed");
  return {
    name,
    status: isGood ? "passed" : "failed",
    assertionResults: statuses.map((status, at) => ({
      status,
      fullName: `test ${at}`,
      ...(status === "failed" ? { failureMessages: ["expected 1 to be 2\n    at a.test.ts"] } : {}),
    })),
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

describe("filesToRepeat", () => {
  const failing = (count: number): VitestReport =>
    reportOf(...Array.from({ length: count }, (_, at) => fileWith(`f${at}`, "failed")));

  it("names the files with failures, if they are few", () => {
    expect(filesToRepeat(reportOf(fileWith("a", "failed"), fileWith("b", "passed"), fileWith("c")))).toEqual([
      "a",
      "c",
    ]);
    expect(filesToRepeat(failing(5))).toHaveLength(5);
  });

  it("names none if there are many", () => {
    expect(filesToRepeat(failing(6))).toEqual([]);
  });
});

describe("causesOf", () => {
  it("names each failed test of the file with the first line of its error", () => {
    const report = reportOf(fileWith("a", "passed", "failed"), fileWith("b", "failed"));
    expect(causesOf(report, "a")).toEqual(["test 1: expected 1 to be 2"]);
  });
});

describe("withRepeats", () => {
  it("takes the second result of repeated files", () => {
    const first = reportOf(fileWith("a", "passed"), fileWith("b", "passed", "failed"), fileWith("c", "failed"));
    const second = reportOf(fileWith("b", "passed", "passed"), fileWith("c", "failed"));
    const report = withRepeats(first, second);
    expect(countResults(report)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(failuresOf(report)).toEqual(["c: test 0"]);
  });

  it("keeps files that the repeat did not run", () => {
    const report = withRepeats(reportOf(fileWith("a", "failed")), reportOf());
    expect(countResults(report)).toMatchObject({ failed: 1 });
  });
});
