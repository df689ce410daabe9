import { parseDurationMs } from "@butler/std";

/** The longest timeout of a Helm operation: a hook that hangs keeps a place that other add-ons need. */
const longestTimeout = "1h";
const longestTimeoutMs = parseDurationMs(longestTimeout);
const usualTimeout = "10m";

/** What is wrong with a timeout; undefined when it is valid. */
export function timeoutFault(timeout: string | undefined): string | undefined {
  if (timeout === undefined || parseDurationMs(timeout) <= longestTimeoutMs) return undefined;
  return `is ${timeout}; the longest timeout is ${longestTimeout}`;
}

/** The timeout that applies, and a note when it is shorter than the one that was set before there was a limit. */
export function effectiveTimeout(timeout = usualTimeout): {
  readonly timeoutMs: number;
  readonly timeoutNote?: string;
} {
  if (timeoutFault(timeout) === undefined) return { timeoutMs: parseDurationMs(timeout) };
  return { timeoutMs: longestTimeoutMs, timeoutNote: `the timeout of ${timeout} is limited to ${longestTimeout}` };
}
