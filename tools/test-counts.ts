/** The part of vitest's JSON report that is read here. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** How many tests passed, failed and were left out. A file that could not be run at all counts as one failure. */
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

/** More files than this do not fail by chance; running them again would only hide for how long something is broken. */
const mostFilesToRepeat = 5;

/** The files to run a second time, alone: those with failures, when they are few. */
export function filesToRepeat({ testResults }: VitestReport): string[] {
  const failed = testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
  return failed.length <= mostFilesToRepeat ? failed : [];
}

/** What failed in a report, by file and test. */
export function failuresOf({ testResults }: VitestReport): string[] {
  return testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === "failed");
      return tests.length === 0 ? [name] : tests.map(({ fullName }) => `${name}: ${fullName}`);
    });
}

/** The counts of a run of which some files were run again: for those the second time counts. */
export function countWithRepeats(first: VitestReport, second: VitestReport): Counts {
  const repeated = new Set(second.testResults.map(({ name }) => name));
  const countOf = (report: VitestReport, wanted: string): number =>
    report.testResults
      .filter(({ name }) => repeated.has(name))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === wanted).length;
  const { passed, failed, skipped } = countResults(second);
  return {
    passed: first.numPassedTests - countOf(first, "passed") + passed,
    failed,
    skipped: Math.max(0, first.numPendingTests - countOf(first, "skipped")) + skipped,
  };
}
