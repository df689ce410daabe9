const binary = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;

/**
 * A human-readable quantity: `5400Gi` becomes `5.3 TiB`. Numbers without a unit, such as CPU cores, and other text are
 * returned unchanged.
 */
export function readableAmount(amount: string | number): string {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([KMGTPE]i)$/.exec(String(amount)) ?? [];
  const at = binary.indexOf(unit as (typeof binary)[number]);
  if (digits === "" || at < 1) return String(amount);
  let [value, step] = [Number(digits), at];
  while (value >= 1024 && step < binary.length - 1) [value, step] = [value / 1024, step + 1];
  return `${Number(value.toFixed(1))} ${binary[step] ?? unit}B`;
}
