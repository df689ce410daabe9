const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** A duration in its two largest units, such as `1 min 12 s`. */
export function formatDuration(milliseconds: number): string {
  let rest = Math.max(0, Math.round(milliseconds / 1_000));
  const parts: string[] = [];
  for (const [name, seconds] of units) {
    const amount = Math.floor(rest / seconds);
    if (amount > 0 || (parts.length === 0 && name === "s")) parts.push(`${amount} ${name}`);
    else if (parts.length > 0) break;
    rest -= amount * seconds;
  }
  return parts.slice(0, 2).join(" ");
}

/** The age of a timestamp in its largest unit. */
export function formatAge(moment: string | undefined, now: Date): string {
  const time = moment === undefined ? Number.NaN : Date.parse(moment);
  if (Number.isNaN(time)) return "–";
  return formatDuration(now.getTime() - time)
    .split(" ")
    .slice(0, 2)
    .join(" ");
}
