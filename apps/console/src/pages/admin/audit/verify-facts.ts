import type { RouteAnswer, verifyAudit } from "@butler/contract";
import type { Tone } from "@butler/ui";

type Verified = RouteAnswer<typeof verifyAudit>;

const reasons = {
  changed: "was changed",
  missing: "is missing",
  unreadable: "cannot be read",
  cut: "was cut off",
} as const;

/** What a check of the log has found, as sentences. */
export function verifiedWords({ isIntact, chains }: Verified): { readonly tone: Tone; readonly lines: string[] } {
  const records = chains.reduce(
    (sum, { firstNumber, lastNumber }) => sum + Math.max(0, lastNumber - firstNumber + 1),
    0,
  );
  const broken = chains.flatMap(({ chain, break: found }) =>
    found === undefined ? [] : [`Record ${found.number} of ${chain} ${reasons[found.reason]}.`],
  );
  if (!isIntact) return { tone: "failed", lines: ["The log is not intact.", ...broken] };
  const expired = chains.some(({ isBeginningExpired }) => isBeginningExpired);
  return {
    tone: "ready",
    lines: [
      `Nothing was changed or taken away: ${records} records in ${chains.length} chains.`,
      ...(expired ? ["Records beyond the time they are kept for have gone, as they should."] : []),
    ],
  };
}
