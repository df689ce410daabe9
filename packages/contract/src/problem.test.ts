import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problem, problemCodes, readProblem } from "./problem.ts";

const whole = {
  type: "/api/docs#problem-refused",
  title: "The platform's rules refuse this",
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
  it("takes every code", () => {
    for (const code of Object.keys(problemCodes)) expect(readProblem({ ...whole, code })).toMatchObject({ code });
  });

  it.each([
    ["nothing", undefined],
    ["a text", "bad gateway"],
    ["a list", [whole]],
    ["a code that there is not", { ...whole, code: "toString" }],
    ["a status that is none", { ...whole, status: "422" }],
    ["causes that are none", { ...whole, errors: [{ field: "spec" }] }],
  ])("takes %s for no problem", (_what, answer) => {
    expect(readProblem(answer)).toBeUndefined();
  });

  it("agrees with the schema about everything else that could come", () => {
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
