import { type Claim, largerUsage, noUsage } from "@butler/access";
import { Conflict, isRecord } from "@butler/std";

/** Quota reserved for one cluster whose creation or growth was admitted and may not be stored yet. */
export interface Reservation {
  readonly claim: Claim;
  readonly uid: string;
  /** The resource version that the change was validated against; undefined for a new cluster. */
  readonly resourceVersion: string | undefined;
  readonly expiresAt: Date;
}

/** Reservations by the cluster they are for, as namespace.name. */
export type Reservations = ReadonlyMap<string, Reservation>;

/** A cluster that is stored. */
export interface StoredClaim {
  readonly claim: Claim;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The API server's request timeout: nothing admitted can be stored later than this. */
export const reservationMs = 60_000;

/** The key of a cluster in a ledger. A namespace has no dot, so keys are unique. */
export function ledgerKey({ namespace = "", name }: { namespace?: string | undefined; name: string }): string {
  return `${namespace}.${name}`;
}

/**
 * The reservations whose cluster or change is not stored yet. A new cluster's ends when the cluster is read; a change's
 * ends when the cluster is read in any other version, because the API server stores a change only on top of the version
 * it was validated against.
 */
export function standing(
  reservations: Reservations,
  stored: ReadonlyMap<string, StoredClaim>,
  now: Date,
): Map<string, Reservation> {
  return new Map(
    [...reservations].filter(([key, { uid, resourceVersion, expiresAt }]) => {
      if (expiresAt.getTime() <= now.getTime()) return false;
      const found = stored.get(key);
      if (resourceVersion === undefined) return found?.uid !== uid;
      return found?.uid === uid && found.resourceVersion === resourceVersion;
    }),
  );
}

/** Every cluster except one, each with its stored or reserved usage, whichever is larger. */
export function othersOf(key: string, stored: ReadonlyMap<string, StoredClaim>, reservations: Reservations): Claim[] {
  const keys = new Set([...stored.keys(), ...reservations.keys()]);
  keys.delete(key);
  return [...keys].flatMap((each) => {
    const [there, reserved] = [stored.get(each)?.claim, reservations.get(each)?.claim];
    if (there === undefined || reserved === undefined) return there ?? reserved ?? [];
    const merged = { ...there, usage: largerUsage(there.usage, reserved.usage) };
    if (reserved.environment === there.environment && reserved.owner === there.owner) return merged;
    // While a cluster moves, it counts in both environments, but as one cluster in total.
    return [merged, { ...reserved, usage: noUsage }];
  });
}

/**
 * Adds a reservation; one for another change of the same version stays, because either may be stored. Throws
 * Conflict when the other change is to another environment or owner: one reservation cannot cover two.
 */
export function withReservation(reservations: Reservations, key: string, added: Reservation): Map<string, Reservation> {
  const present = reservations.get(key);
  const isSameVersion = present?.uid === added.uid && present.resourceVersion === added.resourceVersion;
  if (!isSameVersion) return new Map(reservations).set(key, added);
  const [one, other] = [present.claim, added.claim];
  if (one.environment !== other.environment || one.owner !== other.owner) {
    throw new Conflict("another change to the same cluster is in progress", { hint: "Retry in a moment." });
  }
  const usage = largerUsage(one.usage, other.usage);
  return new Map(reservations).set(key, { ...added, claim: { ...other, usage } });
}

/** A ledger as the data of a ConfigMap. */
export function writeLedger(reservations: Reservations): Record<string, string> {
  return Object.fromEntries([...reservations].map(([key, reservation]) => [key, writeReservation(reservation)]));
}

/** Reads the data of a ConfigMap. Entries that cannot be parsed were not written by Butler and reserve nothing. */
export function readLedger(data: unknown): Map<string, Reservation> {
  const found = Object.entries(isRecord(data) ? data : {}).flatMap(([key, text]) => {
    const reservation = readReservation(text);
    return reservation === undefined ? [] : [[key, reservation] as const];
  });
  return new Map(found);
}

function writeReservation({ claim, uid, resourceVersion, expiresAt }: Reservation): string {
  const { usage, ...place } = claim;
  const { clusters, nodes, cpuMilli, memoryBytes, storageBytes } = usage;
  const amounts = { cpuMilli: `${cpuMilli}`, memoryBytes: `${memoryBytes}`, storageBytes: `${storageBytes}` };
  return JSON.stringify({ ...place, clusters, nodes, ...amounts, uid, resourceVersion, expiresAt });
}

function readReservation(text: unknown): Reservation | undefined {
  try {
    const read: unknown = JSON.parse(String(text));
    if (!isRecord(read)) return undefined;
    const word = (field: string): string | undefined => (typeof read[field] === "string" ? read[field] : undefined);
    const amount = (field: string): bigint => BigInt(word(field) ?? "0");
    const expiresAt = new Date(word("expiresAt") ?? "");
    if (Number.isNaN(expiresAt.getTime())) return undefined;
    const usage = {
      clusters: Number(read["clusters"]),
      nodes: Number(read["nodes"]),
      cpuMilli: amount("cpuMilli"),
      memoryBytes: amount("memoryBytes"),
      storageBytes: amount("storageBytes"),
    };
    const place = { environment: word("environment"), owner: word("owner"), provider: word("provider") };
    return { claim: { usage, ...place }, uid: word("uid") ?? "", resourceVersion: word("resourceVersion"), expiresAt };
  } catch {
    return undefined;
  }
}
