import type { RecordPhase } from "@butler/audit";
import { type Clock, describeError, sleep, Unavailable } from "@butler/std";
import { type Logger, type MetricsRegistry } from "@butler/telemetry";
import type { AuditRecord, AuditSink } from "../ports.ts";
import type { NewRecord } from "./record-line.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { endAction } from "./verify.ts";

/** Options of an audit log. */
export interface AuditLogOptions {
  readonly writer: Pick<SegmentWriter, "store" | "head">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Minimum interval between writes; records in between are written together. */
  readonly windowMs: number;
  /** Maximum number of records per write. */
  readonly largestBatch: number;
  /** Maximum number of queued records; more are rejected immediately. */
  readonly mostWaiting: number;
  /** Last records of other chains, for the first record. */
  readonly anchors: () => Readonly<Record<string, string>>;
  /** Called with each stored line. */
  readonly onStored: (line: string) => void;
}

interface Waiting {
  readonly record: NewRecord;
  readonly settled: PromiseWithResolvers<void>;
}

/**
 * The audit log of this process. A record counts as kept only once it is stored; records that come while others are
 * being written are written together, so that many concurrent requests cost few writes and a single one does not wait.
 */
export class AuditLog implements AuditSink {
  readonly #options: AuditLogOptions;
  readonly #stored;
  readonly #refused;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;
  #lastWriteMs = Number.NEGATIVE_INFINITY;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#stored = metrics.counter("butler_audit_records_total", { help: "Number of audit records stored." });
    this.#refused = metrics.counter("butler_audit_refused_total", {
      help: "Number of audit records that could not be stored.",
    });
  }

  /** Records an intent. A request that cannot be recorded must not run. */
  begin(record: AuditRecord): Promise<void> {
    return this.#append("intent", record);
  }

  /** Records an outcome. */
  commit(record: AuditRecord): Promise<void> {
    return this.#append("outcome", record);
  }

  /** Stores queued records, marks the end of the log, and accepts no more. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    const end = this.#options.writer.head.number === 0 ? undefined : this.commit(this.#mark(endAction));
    this.#isClosed = true;
    await end?.catch((error: unknown) =>
      this.#options.logger.warn("failed to shut down the audit log cleanly", { error: describeError(error) }),
    );
    await this.#running;
  }

  /** A record of an action of the log itself. */
  #mark(action: string): AuditRecord {
    return markRecord(action, { now: this.#options.clock.now(), name: this.#options.writer.head.chain });
  }

  #append(phase: RecordPhase, record: AuditRecord): Promise<void> {
    const isFull = this.#waiting.length >= this.#options.mostWaiting;
    if (this.#isClosed || isFull) {
      this.#refused.inc();
      return Promise.reject(
        new Unavailable(isFull ? "too many audit records are waiting to be stored" : "the server is stopping"),
      );
    }
    const settled = Promise.withResolvers<void>();
    this.#waiting.push({ record: { phase, record }, settled });
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return settled.promise;
  }

  async #run(): Promise<void> {
    const { clock, windowMs, largestBatch } = this.#options;
    while (this.#waiting.length > 0) {
      const waitMs = this.#lastWriteMs + windowMs - clock.monotonicMs();
      if (waitMs > 0) await sleep(clock, waitMs);
      this.#lastWriteMs = clock.monotonicMs();
      const batch = this.#waiting.slice(0, largestBatch);
      this.#waiting = this.#waiting.slice(batch.length);
      await this.#store(batch);
    }
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    const { writer, logger, anchors, onStored } = this.#options;
    const isFirst = writer.head.number === 0;
    const first: NewRecord[] = isFirst
      ? [{ phase: "outcome", record: this.#mark("begin-log"), anchors: anchors() }]
      : [];
    try {
      const lines = await writer.store([...first, ...batch.map(({ record }) => record)]);
      this.#stored.inc({}, lines.length);
      for (const { settled } of batch) settled.resolve();
      for (const line of lines) onStored(line);
    } catch (error) {
      this.#refused.inc({}, batch.length);
      logger.error("failed to store audit records", { records: batch.length, error: describeError(error) });
      for (const { settled } of batch) settled.reject(error);
    }
  }
}

/** A record of an action of the server itself. */
export function markRecord(action: string, { now, name }: { readonly now: Date; readonly name: string }): AuditRecord {
  return {
    timestamp: now.toISOString(),
    requestId: "",
    user: "",
    action,
    resourceType: "AuditSegment",
    resourceName: name,
    resourceNamespace: "",
    teamRef: "",
    httpMethod: "",
    path: "",
    statusCode: 0,
    success: true,
    code: "",
    fields: [],
    sourceIP: "",
  };
}
