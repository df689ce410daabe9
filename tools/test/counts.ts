/** The fields of vitest's JSON report that are read here. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The numbers of passed, failed and skipped tests. A file that could not be run counts as one failure. */
export function countResults(report: VitestReport): Counts {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((result) => result.status !== "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests,
  };
}

/** The failures in a report, by file and test. */
export function failuresOf({ testResults }: VitestReport): string[] {
  return testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === "failed");
      return tests.length === 0 ? [name] : tests.map(({ fullName }) => `${name}: ${fullName}`);
    });
}

/** More failing files than this are not flaky tests; repeating them would only delay the result. */
const mostRepeatedFiles = 5;

/** The files with failures, if they are few enough to be repeated. */
export function filesToRepeat({ testResults }: VitestReport): string[] {
  const failed = testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
  return failed.length <= mostRepeatedFiles ? failed : [];
}

/** The first line of the error of each failed test in a file. */
export function causesOf({ testResults }: VitestReport, file: string): string[] {
  return testResults
    .filter(({ name }) => name === file)
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages = [] }) => `${fullName}: ${failureMessages[0]?.split("\n")[0] ?? "no message"}`);
}

/** The report of a run in which some files were repeated: of those, the second result counts. */
export function withRepeats(first: VitestReport, second: VitestReport): VitestReport {
  const repeated = new Set(second.testResults.map(({ name }) => name));
  const testResults = [...first.testResults.filter(({ name }) => !repeated.has(name)), ...second.testResults];
  const count = (wanted: readonly string[]): number =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => wanted.includes(status))
      .length;
  return {
    numPassedTests: count(["passed"]),
    numFailedTests: count(["failed"]),
    numPendingTests: count(["pending", "skipped", "disabled"]),
    testResults,
  };
}
