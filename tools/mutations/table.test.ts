import { expect, it } from "vitest";
import type { Verdict } from "./judge.ts";
import { mutationsPage, sumLine, verdictLine } from "./table.ts";

const mutation = {
  harm: "more than there is",
  file: "a.ts",
  line: "  a || b;",
  broken: "",
  test: "a.test.ts",
  fails: "is safe",
};
const killed: Verdict = { kind: "killed", by: "a is safe", because: "x" };

it("a line reports the result of a mutation", () => {
  expect(verdictLine(mutation, killed, 3.4)).toBe(
    "   3 s  killed    a.ts: more than there is; by a.test.ts: a is safe (x)",
  );
  expect(verdictLine(mutation, { kind: "survived" }, 3)).toContain(
    "SURVIVED  a.ts: more than there is; not detected by",
  );
  expect(verdictLine(mutation, { kind: "invalid", because: "no end" }, 3)).toContain("COULD NOT RUN  a.ts");
});

it("the last line reports totals", () => {
  expect(sumLine([killed, killed, { kind: "survived" }], 61.2)).toBe("2 killed, 1 survived, 0 could not run, in 61 s");
});

it("the page has a row for each mutation, with code unchanged", () => {
  const page = mutationsPage([mutation, { ...mutation, broken: "`${c}`" }]);
  expect(page).toContain("| more than there is | a.ts<br>`a \\|\\| b;` | removed | a.test.ts<br>is safe |");
  expect(page).toContain("| `` `${c}` `` |");
});
