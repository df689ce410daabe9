import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problem, problemCodes, readProblem } from "./problem.ts";

const whole = {
  type: "/api/docs#problem-refused",
  title: "Rejected by platform rules",
  status: 422,
  code: "REFUSED",
  detail: "team payments: maxClusters is 5",
  requestId: "01JD2T7B0N",
};
const anything = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, [], {}),
);
const cause = fc.record({ field: anything, reason: anything, message: anything }, { requiredKeys: [] });

describe("readProblem", () => {
  it("accepts every code", () => {
    for (const code of Object.keys(problemCodes)) expect(readProblem({ ...whole, code })).toMatchObject({ code });
  });

  it.each([
    ["undefined", undefined],
    ["a text", "bad gateway"],
    ["a list", [whole]],
    ["an unknown code", { ...whole, code: "toString" }],
    ["a status that is not a number", { ...whole, status: "422" }],
    ["incomplete causes", { ...whole, errors: [{ field: "spec" }] }],
  ])("rejects %s", (_what, answer) => {
    expect(readProblem(answer)).toBeUndefined();
  });

  it("agrees with the schema on all other input", () => {
    const parts = { error: anything, hint: anything, field: anything, reason: anything, status: anything };
    const errors = fc.oneof(anything, fc.array(cause), fc.constant([{ field: "a", reason: "b", message: "c" }]));
    const answers = fc
      .record({ ...parts, errors, code: fc.constantFrom("REFUSED", "x"), detail: anything }, { requiredKeys: [] })
      .map((some) => ({ ...whole, ...some }));
    fc.assert(
      fc.property(answers, (answer) => {
        expect(readProblem(answer) !== undefined).toBe(problem.safeParse(answer).success);
      }),
    );
  });
});
