import type { DynamicObject } from "@butler/resource";
import { deepEqual, isRecord } from "@butler/std";

/** The spec of a Lease (coordination.k8s.io/v1, LeaseSpec). */
export interface LeaseRecord {
  /** The empty string when it is not held. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number | undefined;
  readonly acquireTime: string | undefined;
  readonly renewTime: string | undefined;
  readonly leaseTransitions: number;
}

/** A candidate's observation of a Lease. */
export interface LeaseObservation {
  /** As last seen; stays when the Lease is deleted, because its holder does not know of the deletion yet. */
  readonly record: LeaseRecord | undefined;
  readonly exists: boolean;
  /** When this candidate saw the record change, on its own monotonic clock. */
  readonly changedAtMs: number;
}

export type LeaseDecision =
  | { readonly action: "create" | "renew" | "take" }
  /** Another candidate holds it and has this much time left. */
  | { readonly action: "wait"; readonly remainingMs: number };

export interface LeaseDecisionInput {
  readonly observation: LeaseObservation;
  readonly identity: string;
  readonly nowMs: number;
  /** Used when the record has no duration. */
  readonly leaseDurationMs: number;
}

/** The observation before the first read. */
export const nothingObserved: LeaseObservation = { record: undefined, exists: false, changedAtMs: 0 };

/** Updates the observation with a read of the Lease. */
export function observeLease(
  previous: LeaseObservation,
  lease: DynamicObject | undefined,
  nowMs: number,
): LeaseObservation {
  if (lease === undefined) return { ...previous, exists: false };
  const record = readLeaseRecord(lease);
  const isSame = previous.record !== undefined && deepEqual(record, previous.record);
  return { record, exists: true, changedAtMs: isSame ? previous.changedAtMs : nowMs };
}

/**
 * What a candidate should do. The times written in the record are never compared with a clock, because the holder's may
 * be wrong: another's Lease has expired when this candidate has seen it unchanged for as long as it lasts.
 */
export function decideLease({ observation, identity, nowMs, leaseDurationMs }: LeaseDecisionInput): LeaseDecision {
  const { record, exists, changedAtMs } = observation;
  if (record === undefined) return { action: "create" };
  if (record.holderIdentity === identity) return { action: exists ? "renew" : "create" };
  const promisedMs = (record.leaseDurationSeconds ?? 0) * 1_000;
  const remainingMs = changedAtMs + (promisedMs > 0 ? promisedMs : leaseDurationMs) - nowMs;
  if (record.holderIdentity !== "" && remainingMs > 0) return { action: "wait", remainingMs };
  return { action: exists ? "take" : "create" };
}

/** The record with which a candidate becomes or stays the holder. */
export function heldRecord({
  previous,
  identity,
  now,
  leaseDurationMs,
}: {
  readonly previous: LeaseRecord | undefined;
  readonly identity: string;
  readonly now: Date;
  readonly leaseDurationMs: number;
}): LeaseRecord {
  const isSameHolder = previous?.holderIdentity === identity;
  return {
    holderIdentity: identity,
    // Rounded up: the others may wait longer than the holder needs, never shorter.
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1_000),
    acquireTime: (isSameHolder ? previous.acquireTime : undefined) ?? microTime(now),
    renewTime: microTime(now),
    leaseTransitions: previous === undefined ? 0 : previous.leaseTransitions + (isSameHolder ? 0 : 1),
  };
}

/** The record of a released Lease. */
export function releasedRecord(previous: LeaseRecord, now: Date): LeaseRecord {
  return { ...previous, holderIdentity: "", leaseDurationSeconds: 1, renewTime: microTime(now) };
}

/** Reads a Lease; a field of the wrong type counts as absent. */
export function readLeaseRecord(lease: DynamicObject): LeaseRecord {
  const spec = isRecord(lease["spec"]) ? lease["spec"] : {};
  return {
    holderIdentity: textIn(spec, "holderIdentity") ?? "",
    leaseDurationSeconds: numberIn(spec, "leaseDurationSeconds"),
    acquireTime: textIn(spec, "acquireTime"),
    renewTime: textIn(spec, "renewTime"),
    leaseTransitions: numberIn(spec, "leaseTransitions") ?? 0,
  };
}

function textIn(spec: Record<string, unknown>, field: string): string | undefined {
  const value = spec[field];
  return typeof value === "string" ? value : undefined;
}

function numberIn(spec: Record<string, unknown>, field: string): number | undefined {
  const value = spec[field];
  return typeof value === "number" ? value : undefined;
}

/** Kubernetes' MicroTime has exactly six digits after the point; JavaScript gives three. */
function microTime(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}
