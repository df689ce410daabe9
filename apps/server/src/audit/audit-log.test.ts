import { Unavailable } from "@butler/std";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { AuditLog, type AuditLogOptions } from "./audit-log.ts";
import { readLine } from "@butler/audit";
import { FakeSegments } from "./testing/fake-segments.ts";
import { aRecord, aWriter } from "./testing/records.ts";
import { verifySegments } from "./verify.ts";

function aLog(options: Partial<AuditLogOptions> = {}) {
  const segments = new FakeSegments();
  const clock = new FakeClock();
  const lines: string[] = [];
  const log = new AuditLog({
    writer: aWriter({ client: segments.client, segmentBytes: 100_000 }),
    clock,
    logger: silentLogger,
    metrics: new MetricsRegistry(),
    windowMs: 20,
    largestBatch: 50,
    mostWaiting: 200,
    anchors: () => ({}),
    onStored: (line) => lines.push(line),
    ...options,
  });
  return { log, segments, clock, lines };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the audit log", () => {
  it("stores a single record immediately, and concurrent ones in one write", async () => {
    const { log, segments, clock } = aLog();
    await log.commit(aRecord());
    expect(segments.writes).toBe(1);
    const many = Promise.all(Array.from({ length: 40 }, () => log.commit(aRecord())));
    await soon();
    expect(segments.writes).toBe(1);
    clock.advance(20);
    await many;
    expect(segments.writes).toBe(2);
    expect(segments.list()[0]?.spec.records).toBe(42);
  });

  it("acknowledges and logs a record only after it is stored", async () => {
    const { log, segments, lines } = aLog();
    segments.isReachable = false;
    await expect(log.begin(aRecord())).rejects.toBeInstanceOf(Unavailable);
    expect(lines).toEqual([]);
  });

  it("rejects records immediately when the queue is full", async () => {
    const { log, clock } = aLog({ mostWaiting: 3 });
    await log.commit(aRecord());
    const waiting = [log.commit(aRecord()), log.commit(aRecord()), log.commit(aRecord())];
    await expect(log.commit(aRecord())).rejects.toThrow("too many");
    clock.advance(20);
    await soon();
    await Promise.all(waiting);
  });

  it("starts and ends with a record of its own", async () => {
    const { log, segments, clock, lines } = aLog({ anchors: () => ({ other: `3:${"a".repeat(64)}` }) });
    await log.begin(aRecord());
    const closed = log.close();
    await soon();
    clock.advance(20);
    await closed;
    expect(lines.map((line) => readLine(line)?.action)).toEqual(["begin-log", "create", "end-log"]);
    expect(readLine(lines[0] ?? "")?.anchors).toEqual({ other: `3:${"a".repeat(64)}` });
    expect(verifySegments(segments.list())).toMatchObject([{ isEnded: true, lastNumber: 3, break: undefined }]);
    await expect(log.commit(aRecord())).rejects.toThrow("stopping");
  });
});
