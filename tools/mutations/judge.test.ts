import { describe, expect, it } from "vitest";
import { faultWithout, judgeRun, type MutationReport } from "./judge.ts";

const mutation = { harm: "", file: "a.ts", line: "", broken: "", test: "a.test.ts", fails: "a thing is safe" };
const failedWith = (...failureMessages: readonly string[]) => ({
  status: "failed",
  fullName: "a thing is safe, always",
  failureMessages,
});

function reportOf(...assertionResults: MutationReport["testResults"][number]["assertionResults"]): MutationReport {
  return { testResults: [{ name: "/copy/a.test.ts", status: "failed", assertionResults }] };
}

describe("judgeRun", () => {
  it.each([
    "AssertionError: expected 1 to be 2\n  at x",
    "Error: Test timed out in 60000ms.",
    "TypeError: no such thing",
  ])("treats the failure of the named test as a kill: %s", (message) => {
    const report = reportOf({ status: "passed", fullName: "another" }, failedWith(message));
    expect(judgeRun(mutation, report)).toEqual({
      kind: "killed",
      by: "a thing is safe, always",
      because: message.split("\n")[0],
    });
  });

  it("recognizes a survivor, even when another test fails", () => {
    const safe = { status: "passed", fullName: "a thing is safe, always" };
    expect(judgeRun(mutation, reportOf(safe))).toEqual({ kind: "survived" });
    expect(judgeRun(mutation, reportOf(safe, { ...failedWith("x"), fullName: "b" }))).toEqual({ kind: "survived" });
  });

  it.each<[string, MutationReport | undefined, RegExp]>([
    ["was interrupted", undefined, /did not finish/],
    ["did not run the file", { testResults: [] }, /was not run/],
    ["left the named test out", reportOf({ status: "skipped", fullName: "a thing is safe, always" }), /test not found/],
    [
      "could not load the file",
      {
        testResults: [
          { name: "/copy/a.test.ts", status: "failed", message: "SyntaxError: x\nmore", assertionResults: [] },
        ],
      },
      /test not found: SyntaxError: x$/,
    ],
    ["ran a program that makes no sense", reportOf(failedWith("ReferenceError: uid is not defined")), /ReferenceError/],
  ])("is undecided about a run that %s", (_what, report, because) => {
    expect(judgeRun(mutation, report)).toEqual({ kind: "invalid", because: expect.stringMatching(because) as string });
  });
});

describe("faultWithout", () => {
  it("requires the named test to pass without mutations", () => {
    expect(faultWithout(mutation, reportOf({ status: "passed", fullName: "a thing is safe" }))).toBeUndefined();
    expect(faultWithout(mutation, reportOf(failedWith("Error: x")))).toBe("also fails without the mutation: Error: x");
    expect(faultWithout(mutation, undefined)).toContain("did not finish");
  });
});
