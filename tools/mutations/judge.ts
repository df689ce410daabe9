import type { Mutation } from "./mutation.ts";

/** The fields of vitest's JSON report that are read here. */
export interface MutationReport {
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    readonly status: string;
    /** Why the file itself failed. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** The result of a mutation. */
export type Verdict =
  | { readonly kind: "killed"; readonly by: string; readonly because: string }
  | { readonly kind: "survived" }
  /** Undecided: neither detected nor missed by the tests. */
  | { readonly kind: "invalid"; readonly because: string };

/**
 * Errors of the JavaScript engine for invalid programs; a test that fails with one has not checked the product's
 * behavior.
 */
const nonsense = /^(?:ReferenceError|SyntaxError)\b/;

/** Whether the test that a mutation names has detected it. Without a report the run was interrupted. */
export function judgeRun({ test, fails }: Mutation, report: MutationReport | undefined): Verdict {
  if (report === undefined) return invalid("the run did not finish");
  const file = report.testResults.find(({ name }) => name.endsWith(`/${test}`));
  if (file === undefined) return invalid("the test file was not run");
  const named = file.assertionResults.filter(
    ({ fullName, status }) => fullName.includes(fails) && (status === "passed" || status === "failed"),
  );
  const failed = named.find(({ status }) => status === "failed");
  if (failed !== undefined) {
    const because = firstLine(failed.failureMessages?.[0] ?? "");
    return nonsense.test(because) ? invalid(because) : { kind: "killed", by: failed.fullName, because };
  }
  if (named.length === 0) return invalid(`test not found: ${firstLine(file.message ?? "") || fails}`);
  return { kind: "survived" };
}

/** Why a test cannot judge a mutation: it does not pass without mutations. Undefined when it does. */
export function faultWithout(mutation: Mutation, report: MutationReport | undefined): string | undefined {
  const verdict = judgeRun(mutation, report);
  if (verdict.kind === "survived") return undefined;
  return verdict.kind === "killed" ? `also fails without the mutation: ${verdict.because}` : verdict.because;
}

function invalid(because: string): Verdict {
  return { kind: "invalid", because };
}

/** Colors are for terminals. */
function firstLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return (text.replaceAll(/\u001b\[[\d;]*m/g, "").split("\n")[0] ?? "").trim();
}
