import { AuditSegment } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import {
  backoffDelayMs,
  type BackoffPolicy,
  type Clock,
  Conflict,
  describeError,
  isRetryable,
  NotFound,
  sleep,
  Unavailable,
} from "@butler/std";
import { appendRecords, type Appended, type ChainHead, emptyChain } from "./chain.ts";
import type { NewRecord } from "./record-line.ts";
import { findOut, planSegmentWrite, type SegmentWrite } from "./segment.ts";

/** Options of a writer. */
export interface SegmentWriterOptions {
  readonly client: Pick<KubeClient, "create" | "replace" | "find">;
  readonly clock: Clock;
  /** Returns a unique name for a new chain. */
  readonly newChain: () => string;
  readonly segmentBytes: number;
  /** How long to retry storing records before failing the requests that wait for them. */
  readonly giveUpMs: number;
  readonly requestTimeoutMs: number;
}

const retry: BackoffPolicy = { initialMs: 50, maximumMs: 1_000, factor: 2, jitter: 0.5 };

/** Maximum number of remembered writes with an unknown result; the next successful write resolves them. */
const mostGivenUp = 64;

/** Maximum of the kind, minus room for multi-byte characters. */
const largestSegment = 900_000;

/**
 * Adds records to the chain of this process. Only one call may run at a time. After it gives up, the records may
 * still be stored late; the next call detects this and continues after them.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  #head: ChainHead;
  #current: AuditSegment | undefined;
  #sequence = 1;
  #givenUp: ChainHead[] = [];

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#head = emptyChain(options.newChain());
  }

  get head(): ChainHead {
    return this.#head;
  }

  /** Number of the first record of the open segment. */
  get firstOfSegment(): number {
    return this.#current?.spec.firstRecord ?? 1;
  }

  /** Stores all records, or throws, in which case possibly none are stored. Returns the lines. */
  async store(records: readonly NewRecord[]): Promise<readonly string[]> {
    const { clock, giveUpMs } = this.#options;
    const deadline = clock.monotonicMs() + giveUpMs;
    for (let failures = 1; ; failures++) {
      const appended = appendRecords(this.#head, records);
      const write = this.#plan(appended);
      try {
        this.#settle(await this.#send(write), appended.head);
        return appended.lines;
      } catch (error) {
        if (await this.#wasStored(write, { appended, error })) return appended.lines;
        // A missing segment can be recreated.
        const isHopeless = !isRetryable(error) && !(error instanceof NotFound);
        if (isHopeless || clock.monotonicMs() >= deadline) throw this.#giveUp(write, { appended, cause: error });
        // A conflict is retried at once, an unavailable server with backoff.
        if (!(error instanceof Conflict)) await sleep(clock, backoffDelayMs(retry, failures));
      }
    }
  }

  #plan(appended: Appended): SegmentWrite {
    // A late write must find the segment changed, or the chain would fork: no new segment before that.
    const segmentBytes = this.#givenUp.length === 0 ? this.#options.segmentBytes : largestSegment;
    return planSegmentWrite({
      current: this.#current,
      nextSequence: this.#sequence,
      before: this.#head,
      appended,
      segmentBytes,
    });
  }

  #send({ kind, segment }: SegmentWrite): Promise<AuditSegment> {
    const { client, requestTimeoutMs } = this.#options;
    const options = { fieldManager: "butler-server", signal: AbortSignal.timeout(requestTimeoutMs) };
    return kind === "open"
      ? client.create(AuditSegment, segment, options)
      : client.replace(AuditSegment, segment, options);
  }

  #settle(stored: AuditSegment, head: ChainHead): void {
    this.#current = stored;
    this.#sequence = stored.spec.sequence + 1;
    this.#head = head;
    this.#givenUp = [];
  }

  /** Reads the segment after a failed write, and adopts its state. */
  async #wasStored(
    write: SegmentWrite,
    { appended, error }: { readonly appended: Appended; readonly error: unknown },
  ): Promise<boolean> {
    const found = await this.#look(write.segment.metadata.name);
    if (found === "unknown") return false;
    if (found === undefined) {
      // The segment was deleted, for example by retention: the chain continues in the next one.
      if (write.kind === "append" && error instanceof NotFound) this.#current = undefined;
      return false;
    }
    const facts = { before: this.#head, after: appended.head, givenUp: this.#givenUp };
    const finding = findOut(found.spec, facts);
    if (finding === undefined) {
      this.#beginAnew();
      return false;
    }
    if (finding.kind === "again") {
      // A new segment cannot have the old head: it would have no lines.
      if (write.kind === "append") this.#current = found;
      return false;
    }
    this.#settle(found, finding.kind === "stored" ? appended.head : finding.head);
    return finding.kind === "stored";
  }

  async #look(name: string): Promise<AuditSegment | "unknown" | undefined> {
    const { client, requestTimeoutMs } = this.#options;
    try {
      return await client.find(AuditSegment, { name }, AbortSignal.timeout(requestTimeoutMs));
    } catch {
      return "unknown";
    }
  }

  /** Another writer modified the chain. Its changes stay in place as evidence; our records continue in a new chain. */
  #beginAnew(): void {
    this.#head = emptyChain(this.#options.newChain());
    this.#current = undefined;
    this.#sequence = 1;
    this.#givenUp = [];
  }

  #giveUp(
    { kind }: SegmentWrite,
    { appended, cause }: { readonly appended: Appended; readonly cause: unknown },
  ): Error {
    this.#givenUp = [...this.#givenUp, appended.head].slice(-mostGivenUp);
    // The new segment may still be created: the next write must find it, and not continue in the previous one.
    if (kind === "open") this.#current = undefined;
    return new Unavailable(`failed to write the audit log: ${describeError(cause)}`, {
      cause,
      hint: "Butler makes no changes that it cannot audit. Retry when the Kubernetes API is available.",
    });
  }
}
