import { parseDurationMs } from "@butler/std";
import { InvalidArgumentError, Option } from "commander";

/** Parses an integer option value, within limits. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`Must be an integer from ${minimum} to ${maximum}.`);
  };
}

/** Parses an option value that must match a pattern; the sentence describes valid values. */
export function matching(pattern: RegExp, sentence: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(sentence);
  };
}

/** Parses a duration such as 90s, 15m or 1h30m to milliseconds. */
export function durationMs(text: string): number {
  try {
    const value = parseDurationMs(text);
    if (value > 0) return value;
  } catch {
    // The error below is worded for options.
  }
  throw new InvalidArgumentError("Must be a duration greater than 0, such as 90s, 15m or 1h30m.");
}

/** `--timeout`, with its default. */
export function timeoutOption(standard: string): Option {
  return new Option("--timeout <duration>", "maximum time to wait")
    .argParser(durationMs)
    .default(durationMs(standard), standard);
}
