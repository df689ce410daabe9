import type { IPAllocation, NetworkPool } from "@butler/api";
import { Conflict } from "@butler/std";
import type { StatusWrite } from "../shared/status-writer.ts";

/** Guarantees of the store; tests disable one to verify that the violation is detected. */
export interface StoreOptions {
  /** Accepts a write to a pool at any version. */
  readonly takesAnyPoolVersion?: boolean;
  /** Accepts a write to a claim at any version. */
  readonly takesAnyClaimVersion?: boolean;
}

/** The part of an API server that the protocol between controllers relies on: versions and conditional writes. */
export class SmallStore {
  readonly #options: StoreOptions;
  readonly pools = new Map<string, NetworkPool>();
  readonly claims = new Map<string, IPAllocation>();
  #version = 1;

  constructor(options: StoreOptions = {}) {
    this.#options = options;
  }

  putPool(pool: NetworkPool): void {
    this.pools.set(pool.metadata.name, this.#versioned(pool));
  }

  putClaim(claim: IPAllocation): void {
    this.claims.set(claim.metadata.name, this.#versioned(claim));
  }

  writePool({ name, resourceVersion, status }: StatusWrite): void {
    const pool = this.pools.get(name);
    if (pool === undefined || !this.#isCurrent(pool, resourceVersion, this.#options.takesAnyPoolVersion)) {
      throw new Conflict(name);
    }
    this.putPool({ ...pool, status: merged(pool.status, status) });
  }

  writeClaim({ name, resourceVersion, status }: StatusWrite): void {
    const claim = this.claims.get(name);
    if (claim === undefined || !this.#isCurrent(claim, resourceVersion, this.#options.takesAnyClaimVersion)) {
      throw new Conflict(name);
    }
    this.putClaim({ ...claim, status: merged(claim.status, status) });
  }

  /** Sets the finalizers of a claim; one that is being deleted without finalizers is removed. */
  writeFinalizers(seen: IPAllocation, finalizers: string[]): void {
    const claim = this.claims.get(seen.metadata.name);
    if (claim === undefined || !this.#isCurrent(claim, seen.metadata.resourceVersion, false)) {
      throw new Conflict(seen.metadata.name);
    }
    if (finalizers.length === 0 && claim.metadata.deletionTimestamp !== undefined)
      this.claims.delete(seen.metadata.name);
    else this.putClaim({ ...claim, metadata: { ...claim.metadata, finalizers } });
  }

  deleteClaim(name: string, now: Date): void {
    const claim = this.claims.get(name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
    const { finalizers = [] } = claim.metadata;
    if (finalizers.length === 0) this.claims.delete(name);
    else this.putClaim({ ...claim, metadata: { ...claim.metadata, deletionTimestamp: now.toISOString() } });
  }

  #isCurrent(
    { metadata }: { metadata: { resourceVersion?: string | undefined } },
    version: unknown,
    any = false,
  ): boolean {
    return any || metadata.resourceVersion === version;
  }

  #versioned<T extends { metadata: object }>(object: T): T {
    this.#version += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
  }
}

/** Applies a merge patch to a status, one level deep. */
function merged<T extends object | undefined>(current: T, patch: Readonly<Record<string, unknown>>): T {
  const entries = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as T;
}
