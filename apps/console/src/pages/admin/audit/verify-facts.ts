import type { RouteAnswer, verifyAudit } from "@butler/contract";
import type { Tone } from "@butler/ui";

type Verified = RouteAnswer<typeof verifyAudit>;

const reasons = {
  changed: "was modified",
  missing: "is missing",
  unreadable: "is unreadable",
  cut: "is missing: the end of the chain was truncated",
} as const;

const anchorWords: Readonly<Record<Verified["anchor"], readonly string[]>> = {
  valid: [],
  pending: [],
  missing: ["The Secret butler-audit-anchor was deleted: records may be missing."],
  changed: ["The Secret butler-audit-anchor was changed: records may be missing."],
};

/** Result of an audit log verification, as sentences. */
export function verifiedWords({ isIntact, anchor, chains }: Verified): {
  readonly tone: Tone;
  readonly lines: string[];
} {
  const records = chains.reduce(
    (sum, { firstNumber, lastNumber }) => sum + Math.max(0, lastNumber - firstNumber + 1),
    0,
  );
  const broken = chains.flatMap(({ chain, break: found }) =>
    found === undefined ? [] : [`Record ${found.number} in chain ${chain} ${reasons[found.reason]}.`],
  );
  if (!isIntact) return { tone: "failed", lines: ["The audit log is not intact.", ...anchorWords[anchor], ...broken] };
  const expired = chains.some(({ isBeginningExpired }) => isBeginningExpired);
  return {
    tone: "ready",
    lines: [
      `Audit log intact: ${records} records in ${chains.length} chains.`,
      ...(expired ? ["Records older than the retention period were deleted."] : []),
    ],
  };
}
