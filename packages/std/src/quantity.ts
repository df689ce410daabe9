import { InvalidInput } from "./errors.ts";

/**
 * Kubernetes quantities (`resource.Quantity`): exact arithmetic in nano-units on BigInt, so that 0.1 + 0.2 is 0.3 and
 * a petabyte loses no byte.
 */

/** The pattern that Kubernetes publishes for quantities. */
export const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

const shape = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;

const nano = 1_000_000_000n;
const binary: Readonly<Record<string, bigint>> = {
  Ki: 1n << 10n,
  Mi: 1n << 20n,
  Gi: 1n << 30n,
  Ti: 1n << 40n,
  Pi: 1n << 50n,
  Ei: 1n << 60n,
};
const decimalExponent: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** An amount of CPU, memory, storage or anything countable, in billionths of its unit. */
export type NanoUnits = bigint;

/** Parses `4`, `500m`, `16Gi`, `1.5G` or `1e3`. Sub-nano precision is rounded up, as in Kubernetes. */
export function parseQuantity(value: string | number): NanoUnits {
  const text = String(value).trim();
  const match = shape.exec(text);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match ?? [];
  if (match === null || (whole === "" && fraction === "")) {
    throw new InvalidInput(`"${text}" is not a valid quantity; use a quantity such as 4, 500m, 16Gi or 1.5G`);
  }
  const digits = BigInt(whole + fraction);
  const magnitude = scale(digits, -fraction.length, suffix);
  return sign === "-" ? -magnitude : magnitude;
}

function scale(digits: bigint, exponent: number, suffix: string): bigint {
  const factor = binary[suffix];
  if (factor !== undefined) return timesPowerOfTen(digits * factor * nano, exponent);
  const decimal = decimalExponent[suffix] ?? (suffix === "" ? 0 : Number(suffix.slice(1)));
  if (Math.abs(decimal) > 60) throw new InvalidInput(`the exponent of "${suffix}" is out of range`);
  return timesPowerOfTen(digits * nano, exponent + decimal);
}

function timesPowerOfTen(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (value + divisor - 1n) / divisor;
}

/** Formats a count (CPU, nodes): whole numbers plainly, others in m, u or n. */
export function formatDecimalQuantity(amount: NanoUnits): string {
  if (amount % nano === 0n) return `${amount / nano}`;
  if (amount % 1_000_000n === 0n) return `${amount / 1_000_000n}m`;
  return amount % 1_000n === 0n ? `${amount / 1_000n}u` : `${amount}n`;
}

/** Formats bytes with the largest binary suffix that keeps the number whole. */
export function formatBinaryQuantity(amount: NanoUnits): string {
  if (amount % nano !== 0n) return formatDecimalQuantity(amount);
  const bytes = amount / nano;
  if (bytes === 0n) return "0";
  for (const suffix of ["Ei", "Pi", "Ti", "Gi", "Mi", "Ki"]) {
    const unit = binary[suffix] ?? 1n;
    if (bytes % unit === 0n) return `${bytes / unit}${suffix}`;
  }
  return `${bytes}`;
}
