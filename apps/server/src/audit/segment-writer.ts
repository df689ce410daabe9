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

/** What a writer works with. */
export interface SegmentWriterOptions {
  readonly client: Pick<KubeClient, "create" | "replace" | "find">;
  readonly clock: Clock;
  /** A name for a chain that nobody else writes. */
  readonly newChain: () => string;
  readonly segmentBytes: number;
  /** How long records are tried to be stored before those who wait are told that they are not. */
  readonly giveUpMs: number;
  readonly requestTimeoutMs: number;
}

const retry: BackoffPolicy = { initialMs: 50, maximumMs: 1_000, factor: 2, jitter: 0.5 };

/** How many writes whose fate is unknown are remembered; they are settled by the next one that succeeds. */
const mostGivenUp = 64;

/** What the kind allows, less some room for letters that take several bytes. */
const largestSegment = 900_000;

/**
 * Adds records to the chain of this process. Only one call may run at a time. When it gives up, the records may be
 * stored all the same, late; the next call finds out and goes on behind them.
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

  /** Stores records, all of them or, when it throws, perhaps none. Gives the lines. */
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
        // What is not there can be made anew.
        const isHopeless = !isRetryable(error) && !(error instanceof NotFound);
        if (isHopeless || clock.monotonicMs() >= deadline) throw this.#giveUp(write, { appended, cause: error });
        // Somebody else's change costs no waiting, a server that does not answer does.
        if (!(error instanceof Conflict)) await sleep(clock, backoffDelayMs(retry, failures));
      }
    }
  }

  #plan(appended: Appended): SegmentWrite {
    // A write that may still arrive must find the segment changed, or the chain would fork: no new one before that.
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

  /** Looks what is there after a write that failed, and takes over what it finds. */
  async #wasStored(
    write: SegmentWrite,
    { appended, error }: { readonly appended: Appended; readonly error: unknown },
  ): Promise<boolean> {
    const found = await this.#look(write.segment.metadata.name);
    if (found === "unknown") return false;
    if (found === undefined) {
      // The segment is gone, as somebody may delete what is old: the chain goes on in the next one.
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
      // A new segment with the old head cannot be: it would have no lines.
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

  /** Somebody else has written into the chain. What they did stays to be seen; ours goes on in a chain of its own. */
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
    // A new segment may still come to be: the next write must meet it, and not go on in the one before.
    if (kind === "open") this.#current = undefined;
    return new Unavailable(`the audit log cannot be written: ${describeError(cause)}`, {
      cause,
      hint: "Nothing is changed that cannot be recorded. Try again once the Kubernetes API answers.",
    });
  }
}
