const units = [
  ["w", 7 * 24 * 3600],
  ["d", 24 * 3600],
  ["h", 3600],
  ["m", 60],
] as const;

/** Formats a duration as one number and one unit (s, m, h, d or w), rounded down, as in age columns. */
export function formatAge(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  const [unit, size] = units.find(([, length]) => seconds >= length * (length === 604_800 ? 2 : 1)) ?? ["s", 1];
  return `${Math.floor(seconds / size)}${unit}`;
}
