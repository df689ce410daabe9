import {
  apiVersionOf,
  builtinKinds,
  type DynamicObject,
  keyText,
  type KubeObject,
  type ObjectKey,
} from "@butler/resource";
import { type Clock, Conflict, isRecord, NotFound } from "@butler/std";
import type { KubeClient } from "./client.ts";
import {
  decideLease,
  heldRecord,
  type LeaseDecision,
  type LeaseObservation,
  type LeaseRecord,
  nothingObserved,
  observeLease,
  readLeaseRecord,
  releasedRecord,
} from "./lease-decision.ts";
import { withTimeLimit } from "./time-limit.ts";

/** The part of a client that leader election needs. */
export type LeaseClient = Pick<KubeClient, "find" | "create" | "replace">;

export interface LeaseContenderOptions {
  readonly client: LeaseClient;
  readonly key: ObjectKey;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** A request that has not been answered by then is given up. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
}

/** How an attempt ended: `heldSinceMs` is when the successful write was sent, so the Lease lasts at least from then. */
export type LeaseAttempt =
  { readonly isHeld: true; readonly heldSinceMs: number } | { readonly isHeld: false; readonly holder: string };

/** How often a write that met a conflict is decided anew within one attempt. */
const roundsPerAttempt = 3;

/** One candidate's hands on a Lease. Every write names the resource version it was decided on, so of two only one wins. */
export class LeaseContender {
  readonly #options: LeaseContenderOptions;
  #observation: LeaseObservation = nothingObserved;
  #lease: DynamicObject | undefined;
  /** Whether `#lease` is the answer to our own last write; then there is no need to read it again. */
  #isCurrent = false;
  #mayHold = false;

  constructor(options: LeaseContenderOptions) {
    this.#options = options;
  }

  /** Whether the Lease is ours or may have become ours by a write whose answer never came. */
  get mayHold(): boolean {
    return this.#mayHold;
  }

  /** Becomes or stays the holder if the state of the Lease allows it. */
  acquire(signal: AbortSignal): Promise<LeaseAttempt> {
    return this.#attempt(signal, () => true);
  }

  /** Stays the holder; never takes the Lease back from anybody, nor makes a new one where it was deleted. */
  renew(signal: AbortSignal): Promise<LeaseAttempt> {
    return this.#attempt(signal, ({ action }) => action === "renew");
  }

  /** Gives the Lease up, if it is ours, so that the next candidate need not wait. */
  async release(): Promise<void> {
    await this.#limited("release", (signal) =>
      this.#decideAndWrite(signal, async () => {
        const record = this.#lease === undefined ? undefined : readLeaseRecord(this.#lease);
        if (record?.holderIdentity !== this.#options.identity) return;
        await this.#write(releasedRecord(record, this.#options.clock.now()), signal);
      }),
    );
  }

  #attempt(outer: AbortSignal, isAllowed: (decision: LeaseDecision) => boolean): Promise<LeaseAttempt> {
    const { clock, identity, leaseDurationMs } = this.#options;
    return this.#limited(
      "renew",
      (signal) =>
        this.#decideAndWrite(signal, async () => {
          const nowMs = clock.monotonicMs();
          const observation = this.#observation;
          const decision = decideLease({ observation, identity, nowMs, leaseDurationMs });
          if (decision.action === "wait" || !isAllowed(decision)) {
            return { isHeld: false, holder: observation.exists ? (observation.record?.holderIdentity ?? "") : "" };
          }
          const previous = observation.record;
          await this.#write(heldRecord({ previous, identity, now: clock.now(), leaseDurationMs }), signal);
          return { isHeld: true, heldSinceMs: nowMs };
        }),
      outer,
    );
  }

  /** Runs a step on what the Lease is now, and again on what it has become whenever somebody else wrote in between. */
  async #decideAndWrite<T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> {
    for (let round = 1; ; round++) {
      if (!this.#isCurrent) await this.#read(signal);
      try {
        return await step();
      } catch (error) {
        const hasChanged = error instanceof Conflict || error instanceof NotFound;
        if (!hasChanged || round === roundsPerAttempt) throw error;
      }
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    this.#note(await this.#options.client.find(builtinKinds.Lease, this.#options.key, signal), signal);
  }

  async #write(record: LeaseRecord, signal: AbortSignal): Promise<void> {
    const { client, key } = this.#options;
    const lease = this.#lease;
    // Until the answer is here nobody knows whether the write has happened.
    this.#isCurrent = false;
    this.#mayHold ||= record.holderIdentity !== "";
    const written =
      lease === undefined
        ? await client.create(builtinKinds.Lease, newLease(key, record), { signal })
        : await client.replace(builtinKinds.Lease, withRecord(lease, record), { signal });
    this.#note(written, signal);
    this.#isCurrent = true;
  }

  #note(lease: DynamicObject | undefined, signal: AbortSignal): void {
    // An answer that comes after its time limit belongs to a past in which something else may have been decided since.
    signal.throwIfAborted();
    this.#lease = lease;
    this.#observation = observeLease(this.#observation, lease, this.#options.clock.monotonicMs());
    this.#isCurrent = false;
    this.#mayHold = lease !== undefined && this.#observation.record?.holderIdentity === this.#options.identity;
  }

  #limited<T>(verb: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { clock, key, requestTimeoutMs } = this.#options;
    return withTimeLimit({ clock, limitMs: requestTimeoutMs, signal, action: `${verb} Lease ${keyText(key)}` }, work);
  }
}

function newLease({ name, namespace }: ObjectKey, record: LeaseRecord): KubeObject & { spec: unknown } {
  const { Lease } = builtinKinds;
  return { apiVersion: apiVersionOf(Lease), kind: Lease.kind, metadata: { name, namespace }, spec: record };
}

/** Keeps what others have put on the Lease: labels, owners and fields that leader election does not use. */
function withRecord(lease: DynamicObject, record: LeaseRecord): DynamicObject {
  return { ...lease, spec: { ...(isRecord(lease["spec"]) ? lease["spec"] : {}), ...record } };
}
