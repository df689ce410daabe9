import { parseDurationMs } from "@butler/std";
import { InvalidArgumentError, Option } from "commander";

/** Reads a whole number of an option, within limits. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${minimum} to ${maximum}.`);
  };
}

/** Reads text of an option that must match a pattern; the sentence says what it takes. */
export function matching(pattern: RegExp, sentence: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(sentence);
  };
}

/** Reads a span of time such as 90s, 15m or 1h30m, as milliseconds. */
export function durationMs(text: string): number {
  try {
    const value = parseDurationMs(text);
    if (value > 0) return value;
  } catch {
    // The sentence below says it for options.
  }
  throw new InvalidArgumentError("It takes a time above 0 such as 90s, 15m or 1h30m.");
}

/** `--timeout`, with how long is waited when it is not given. */
export function timeoutOption(standard: string): Option {
  return new Option("--timeout <duration>", "how long to wait at most")
    .argParser(durationMs)
    .default(durationMs(standard), standard);
}
