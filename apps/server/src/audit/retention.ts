import type { AuditSegment } from "@butler/api";

/** Retention limits of the audit log. */
export interface RetentionPolicy {
  readonly maximumAgeMs: number;
  readonly maximumBytes: number;
}

/**
 * The segments to delete: expired ones, and the oldest ones beyond the maximum size. Chains are always deleted from the
 * beginning. The last segment of a chain stays until it expires: its process may still write to it.
 */
export function planRetention(
  segments: readonly AuditSegment[],
  { now, policy }: { readonly now: Date; readonly policy: RetentionPolicy },
): AuditSegment[] {
  const last = new Map<string, number>();
  for (const { spec } of segments) last.set(spec.chain, Math.max(spec.sequence, last.get(spec.chain) ?? 0));
  const oldest = new Date(now.getTime() - policy.maximumAgeMs).toISOString();
  let bytes = segments.reduce((sum, segment) => sum + sizeOf(segment), 0);
  const inOrder = segments.toSorted(
    (left, right) => compare(left.spec.lastTime, right.spec.lastTime) || left.spec.sequence - right.spec.sequence,
  );
  return inOrder.filter((segment) => {
    const isOld = segment.spec.lastTime < oldest;
    const isLast = last.get(segment.spec.chain) === segment.spec.sequence;
    if (!isOld && (isLast || bytes <= policy.maximumBytes)) return false;
    bytes -= sizeOf(segment);
    return true;
  });
}

function sizeOf({ spec }: AuditSegment): number {
  return spec.lines.length;
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
