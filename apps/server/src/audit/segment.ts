import { AuditSegment } from "@butler/api";
import { apiVersionOf } from "@butler/resource";
import type { Appended, ChainHead } from "./chain.ts";

/** The write to send to the API server: a new segment, or one with appended lines. */
export type SegmentWrite =
  | { readonly kind: "open"; readonly segment: AuditSegment }
  | { readonly kind: "append"; readonly segment: AuditSegment };

/** Input of the decision where to write lines. */
export interface SegmentQuestion {
  /** The stored segment; undefined if there is none to continue. */
  readonly current: AuditSegment | undefined;
  /** Place in the chain of the next new segment. */
  readonly nextSequence: number;
  readonly before: ChainHead;
  readonly appended: Appended;
  readonly segmentBytes: number;
}

/** Decides where to write lines: into the open segment, or into a new one if they would make it too large. */
export function planSegmentWrite(question: SegmentQuestion): SegmentWrite {
  const { current, nextSequence, before, appended, segmentBytes } = question;
  const text = appended.lines.map((line) => `${line}\n`).join("");
  const { head, firstTime } = appended;
  const size = Buffer.byteLength(text);
  if (current !== undefined && Buffer.byteLength(current.spec.lines) + size <= segmentBytes) {
    const spec = {
      ...current.spec,
      records: head.number - current.spec.firstRecord + 1,
      lastHash: head.hash,
      lastTime: head.timestamp,
      lines: current.spec.lines + text,
    };
    return { kind: "append", segment: { ...current, spec } };
  }
  const segment: AuditSegment = {
    apiVersion: apiVersionOf(AuditSegment),
    kind: AuditSegment.kind,
    metadata: { name: segmentName(head.chain, nextSequence) },
    spec: {
      chain: head.chain,
      sequence: nextSequence,
      firstRecord: before.number + 1,
      records: appended.lines.length,
      previousHash: before.hash,
      lastHash: head.hash,
      firstTime,
      lastTime: head.timestamp,
      lines: text,
    },
  };
  return { kind: "open", segment };
}

/** The name of a segment. */
export function segmentName(chain: string, sequence: number): string {
  return `${chain}-${String(sequence).padStart(6, "0")}`;
}

/** What the stored segment reveals about a write with an unknown result. */
export type Finding =
  { readonly kind: "stored" } | { readonly kind: "again" } | { readonly kind: "late"; readonly head: ChainHead };

/**
 * Whether a write has reached the API server, from what is there now. Undefined when something is there that this
 * process has not written.
 */
export function findOut(
  found: Pick<AuditSegment["spec"], "lastHash"> | undefined,
  {
    before,
    after,
    givenUp,
  }: { readonly before: ChainHead; readonly after: ChainHead; readonly givenUp: readonly ChainHead[] },
): Finding | undefined {
  if (found === undefined || found.lastHash === before.hash) return { kind: "again" };
  if (found.lastHash === after.hash) return { kind: "stored" };
  const head = givenUp.find(({ hash }) => hash === found.lastHash);
  return head === undefined ? undefined : { kind: "late", head };
}
