import { InvalidInput } from "./errors.ts";

const unitNs: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** The format of Go's durations (`time.ParseDuration`), also usable as a schema pattern (RE2-safe). */
export const durationPattern = "^(0|([0-9]+(\\.[0-9]+)?(ns|us|µs|μs|ms|s|m|h))+)$";

/** Parses a Go duration such as `4h`, `1h30m` or `0` and returns milliseconds. There is no unit for days. */
export function parseDurationMs(text: string): number {
  if (!new RegExp(durationPattern).test(text)) {
    throw new InvalidInput(
      `"${text}" is not a valid duration; use a duration such as 30s, 10m or 1h30m (the largest unit is h)`,
    );
  }
  // Whole nanoseconds, because 1.001 seconds in floating point are not quite 1001 milliseconds.
  let totalNs = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of text.matchAll(
    /([0-9]+)(?:\.([0-9]+))?(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    totalNs += (BigInt(whole + fraction) * (unitNs[unit] ?? 0n)) / 10n ** BigInt(fraction.length);
  }
  return Number(totalNs / 1_000_000n) + Number(totalNs % 1_000_000n) / 1e6;
}

/** Formats milliseconds like Go: `1h30m0s`, `45s`, `250ms`, `500µs`, `0s`. Fractions of 1ns are rounded. */
export function formatDuration(totalMs: number): string {
  if (totalMs < 0) return `-${formatDuration(-totalMs)}`;
  const totalNs = BigInt(Math.floor(totalMs)) * 1_000_000n + BigInt(Math.round((totalMs % 1) * 1e6));
  if (totalNs === 0n) return "0s";
  for (const [limit, unit] of [
    [1_000n, "ns"],
    [1_000_000n, "µs"],
    [1_000_000_000n, "ms"],
  ] as const) {
    if (totalNs < limit) return `${decimal(totalNs, limit / 1_000n)}${unit}`;
  }
  const hours = totalNs / 3_600_000_000_000n;
  const minutes = (totalNs / 60_000_000_000n) % 60n;
  const seconds = `${decimal(totalNs % 60_000_000_000n, 1_000_000_000n)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${minutes}m${seconds}` : seconds;
}

/** The quotient as a decimal number without trailing zeros; the divisor is a power of ten. */
function decimal(amount: bigint, divisor: bigint): string {
  const fraction = (amount % divisor)
    .toString()
    .padStart(divisor.toString().length - 1, "0")
    .replace(/0+$/, "");
  return fraction === "" ? `${amount / divisor}` : `${amount / divisor}.${fraction}`;
}
