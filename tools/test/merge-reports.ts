import type { VitestReport } from "./counts.ts";

/** Merges the reports of several vitest runs. */
export function mergeReports(reports: readonly VitestReport[]): VitestReport {
  const sum = (of: (report: VitestReport) => number): number => reports.reduce((total, each) => total + of(each), 0);
  return {
    numPassedTests: sum(({ numPassedTests }) => numPassedTests),
    numFailedTests: sum(({ numFailedTests }) => numFailedTests),
    numPendingTests: sum(({ numPendingTests }) => numPendingTests),
    testResults: reports.flatMap(({ testResults }) => testResults),
  };
}
