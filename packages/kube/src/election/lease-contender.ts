import {
  apiVersionOf,
  builtinKinds,
  type DynamicObject,
  keyText,
  type KubeObject,
  type ObjectKey,
} from "@butler/resource";
import { type Clock, Conflict, isRecord, NotFound, withTimeLimit } from "@butler/std";
import type { KubeClient } from "../client/client.ts";
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

/** The part of a client that leader election needs. */
export type LeaseClient = Pick<KubeClient, "find" | "create" | "replace">;

export interface LeaseContenderOptions {
  readonly client: LeaseClient;
  readonly key: ObjectKey;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** The timeout of a request. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
}

/** How an attempt ended: `heldSinceMs` is when the successful write was sent, so the Lease lasts at least from then. */
export type LeaseAttempt =
  { readonly isHeld: true; readonly heldSinceMs: number } | { readonly isHeld: false; readonly holder: string };

/** How often a conflicting write is retried within one attempt. */
const roundsPerAttempt = 3;

/**
 * A candidate's access to a Lease. Every write includes its resource version, so that only one of two concurrent writes
 * succeeds.
 */
export class LeaseContender {
  readonly #options: LeaseContenderOptions;
  #observation: LeaseObservation = nothingObserved;
  #lease: DynamicObject | undefined;
  /** Whether `#lease` is the response to our last write; then it need not be read again. */
  #isCurrent = false;
  #mayHold = false;

  constructor(options: LeaseContenderOptions) {
    this.#options = options;
  }

  /** Whether we hold the Lease, or may hold it by a write whose response was lost. */
  get mayHold(): boolean {
    return this.#mayHold;
  }

  /** Acquires or renews the Lease if its state allows it. */
  acquire(signal: AbortSignal): Promise<LeaseAttempt> {
    return this.#attempt(signal, () => true);
  }

  /** Stays the holder; never takes the Lease back from another holder, nor creates a new one where it was deleted. */
  renew(signal: AbortSignal): Promise<LeaseAttempt> {
    return this.#attempt(signal, ({ action }) => action === "renew");
  }

  /** Releases the Lease, if held, so that the next candidate need not wait. */
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

  /** Runs a step on the current Lease, and again on the updated one after a conflict. */
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
    // Until the response arrives it is unknown whether the write has happened.
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
    // A response after its timeout is stale: another decision may have been made since.
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

/** Keeps foreign content of the Lease: labels, owners and fields that leader election does not use. */
function withRecord(lease: DynamicObject, record: LeaseRecord): DynamicObject {
  return { ...lease, spec: { ...(isRecord(lease["spec"]) ? lease["spec"] : {}), ...record } };
}
