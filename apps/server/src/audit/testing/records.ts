import type { AuditSegment } from "@butler/api";
import type { Clock } from "@butler/std";
import type { AuditRecord } from "../../ports.ts";
import { markRecord } from "../audit-log.ts";
import { SegmentWriter, type SegmentWriterOptions } from "../segment-writer.ts";
import { FakeSegments } from "./fake-segments.ts";

/** A record; unspecified fields have arbitrary values. */
export function aRecord(traits: Partial<AuditRecord> = {}): AuditRecord {
  return {
    ...markRecord("create", { now: new Date("2026-06-01T12:00:00Z"), name: "shop" }),
    requestId: "r1",
    user: "ada@example.com",
    resourceType: "TenantCluster",
    resourceNamespace: "payments",
    teamRef: "payments",
    statusCode: 201,
    ...traits,
  };
}

let chains = 0;

/** A clock that advances by a millisecond with every read, and never waits. */
export function hastyClock(): Clock {
  let nowMs = 0;
  return {
    now: () => new Date(Date.parse("2026-06-01T12:00:00Z") + nowMs),
    monotonicMs: () => ++nowMs,
    after: (delayMs, run) => {
      nowMs += delayMs;
      queueMicrotask(run);
      return { cancel: () => undefined };
    },
  };
}

/** A writer with small segments and no delays. */
export function aWriter(options: Partial<SegmentWriterOptions> & Pick<SegmentWriterOptions, "client">): SegmentWriter {
  return new SegmentWriter({
    clock: hastyClock(),
    newChain: () => `chain-${++chains}`,
    segmentBytes: 2_000,
    giveUpMs: 0,
    requestTimeoutMs: 1_000,
    ...options,
  });
}

/** Segments of one chain with the given records. */
export async function segmentsOf(records: readonly AuditRecord[], chain = "one"): Promise<AuditSegment[]> {
  const segments = new FakeSegments();
  const writer = aWriter({ client: segments.client, newChain: () => chain });
  for (const record of records) await writer.store([{ phase: record.statusCode === 0 ? "intent" : "outcome", record }]);
  return segments.list();
}
