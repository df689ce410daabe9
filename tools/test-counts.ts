/** The part of vitest's JSON report that is read here. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { status: string }[];
  }[];
}

/** How many tests passed, failed and were left out. A file that could not be run at all counts as one failure. */
export function countResults(report: VitestReport): { passed: number; failed: number; skipped: number } {
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
