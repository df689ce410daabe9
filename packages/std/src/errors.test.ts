import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Bug,
  ButlerError,
  Conflict,
  describeError,
  Forbidden,
  InvalidInput,
  isRetryable,
  NotFound,
  Timeout,
  Unauthenticated,
  Unavailable,
} from "./errors.ts";

const classes = [
  [InvalidInput, "INVALID_INPUT", 400, false],
  [Unauthenticated, "UNAUTHENTICATED", 401, true],
  [Forbidden, "FORBIDDEN", 403, true],
  [NotFound, "NOT_FOUND", 404, false],
  [Conflict, "CONFLICT", 409, true],
  [Unavailable, "UNAVAILABLE", 503, true],
  [Timeout, "TIMEOUT", 504, true],
  [Bug, "BUG", 500, false],
] as const;

describe.each(classes)("%o", (ErrorClass, code, httpStatus, retryable) => {
  it(`has code ${code}, HTTP status ${httpStatus} and ${retryable ? "is" : "is not"} worth a retry`, () => {
    const error = new ErrorClass("it broke");
    expect(error).toMatchObject({ code, httpStatus, isRetryable: retryable, name: ErrorClass.name, details: {} });
    expect(error).toBeInstanceOf(ButlerError);
    expect(isRetryable(error)).toBe(retryable);
  });

  it("carries cause, details and hint", () => {
    const cause = new Error("below");
    const error = new ErrorClass("it broke", { cause, details: { object: "a/b" }, hint: "try the other one" });
    expect(error).toMatchObject({ cause, details: { object: "a/b" }, hint: "try the other one" });
  });
});

it("error classes have unique codes", () => {
  expect(new Set(classes.map(([, code]) => code)).size).toBe(classes.length);
});

describe("isRetryable", () => {
  it.each([[new Error("who knows")], ["text"], [undefined]])("treats %s as retryable", (error) => {
    expect(isRetryable(error)).toBe(true);
  });
});

describe("describeError", () => {
  it.each<[string, unknown, string]>([
    ["a message", new Error("no route"), "no route"],
    ["the name where there is no message", new TypeError(), "TypeError"],
    ["text", "no route", "no route"],
    ["a number", 7, "7"],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["causes in order", new Error("a", { cause: new Error("b", { cause: "c" }) }), "a: b: c"],
    ["a repeated message once", new Error("a", { cause: new Error("a", { cause: new Error("b") }) }), "a: b"],
    ["what was said of a cause once", new Error("a: b", { cause: new Error("b", { cause: "c" }) }), "a: b: c"],
    ["several lines as one", new Error("first\n  second\r\nthird"), "first second third"],
    ["an object that has no text", Object.create(null), "[object Object]"],
  ])("returns %s", (_what, error, expected) => {
    expect(describeError(error)).toBe(expected);
  });

  it("stops at a cyclic cause", () => {
    const first = new Error("a");
    const second = new Error("b", { cause: first });
    first.cause = second;
    expect(describeError(first)).toBe("a: b");
  });

  it("stops after five causes", () => {
    const chain = ["f", "e", "d", "c", "b", "a"].reduce<Error | undefined>(
      (cause, message) => new Error(message, { cause }),
      undefined,
    );
    expect(describeError(chain)).toBe("a: b: c: d: e");
  });

  it("returns one line for any thrown value", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (thrown) => {
        expect(describeError(thrown)).not.toMatch(/[\r\n]/);
        expect(describeError(new Error("outer", { cause: thrown }))).toMatch(/^outer/);
      }),
    );
  });
});
