import {
  Bug,
  ButlerError,
  Conflict,
  Forbidden,
  InvalidInput,
  NotFound,
  Timeout,
  Unauthenticated,
  Unavailable,
} from "@butler/std";
import { describe, expect, it } from "vitest";
import { exitCodeOf, explainError, Interrupted, QuietFailure, UsageError } from "./cli-errors.ts";

class Throttled extends Unavailable {
  override readonly code = "THROTTLED";
  override readonly httpStatus = 429;
}
class Gone extends ButlerError {
  readonly code = "GONE";
  readonly httpStatus = 410;
  readonly isRetryable = true;
}
class AlreadyExists extends Conflict {
  override readonly code = "ALREADY_EXISTS";
}

describe("exitCodeOf", () => {
  it.each<[unknown, number]>([
    [new Error("anything"), 1],
    ["not even an error", 1],
    [new Bug("ours"), 1],
    [new InvalidInput("a file is wrong"), 1],
    [new UsageError("words are wrong"), 2],
    [new NotFound("nothing there"), 3],
    [new Forbidden("not you"), 4],
    [new Unauthenticated("who?"), 4],
    [new InvalidInput("a webhook said no", { details: { status: 422 } }), 4],
    [new Conflict("changed meanwhile"), 5],
    [new AlreadyExists("there is one"), 5],
    [new Unavailable("away"), 6],
    [new Timeout("too late"), 6],
    [new Throttled("too many"), 6],
    [new Gone("too old"), 6],
    [new Interrupted(), 130],
    [new Interrupted("stopped", { details: { signal: "SIGTERM" } }), 143],
    [new QuietFailure(), 1],
    [new QuietFailure(3), 3],
  ])("maps %s to %i", (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});

describe("explainError", () => {
  it("adds a default hint when the error has none", () => {
    expect(explainError(new Forbidden("you may not"))).toEqual([
      "you may not",
      "Ask a platform administrator for access.",
    ]);
    expect(explainError(new Forbidden("you may not", { hint: "Name your team." }))).toEqual([
      "you may not",
      "Name your team.",
    ]);
    expect(explainError(new NotFound("it is not there"))).toEqual(["it is not there"]);
  });
});
