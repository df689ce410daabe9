import { InvalidInput } from "./errors.ts";

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** The shape of Go's duration text (`time.ParseDuration`), also usable as a schema pattern (RE2-safe). */
export const durationPattern = "^(0|([0-9]+(\\.[0-9]+)?(ns|us|µs|μs|ms|s|m|h))+)$";

/** Reads Go duration text such as `4h`, `1h30m` or `0` and gives milliseconds. There is no unit for days. */
export function parseDurationMs(text: string): number {
  if (!new RegExp(durationPattern).test(text)) {
    throw new InvalidInput(`"${text}" is not a duration; write for example 30s, 10m or 1h30m (the largest unit is h)`);
  }
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += Number(amount) * (unitMs[unit ?? ""] ?? 0);
  }
  return total;
}

/** Writes milliseconds the way Go does: `1h30m0s`, `45s`, `250ms`, `0s`. */
export function formatDuration(totalMs: number): string {
  if (totalMs < 0) return `-${formatDuration(-totalMs)}`;
  if (totalMs === 0) return "0s";
  if (totalMs < 1_000) return `${totalMs}ms`;
  const hours = Math.floor(totalMs / 3_600_000);
  const minutes = Math.floor((totalMs % 3_600_000) / 60_000);
  const seconds = (totalMs % 60_000) / 1_000;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
