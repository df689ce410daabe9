import type { DataStore } from "@butler/api";
import { type EtcdAdmin, type EtcdStatus, hasReason } from "@butler/etcd";
import { faultOf, readCertificate } from "@butler/pki";
import {
  ButlerError,
  type Clock,
  describeError,
  Forbidden,
  InvalidInput,
  NotFound,
  systemClock,
  Unauthenticated,
} from "@butler/std";
import type { StoreConnections, StoreMaterial } from "./store-connection.ts";
import { tenantsPrefix, tenantUserPrefix } from "./tenant-identity.ts";

/** What came of asking a store how it does. */
export type StoreCheck =
  | {
      readonly kind: "answered";
      readonly status: EtcdStatus;
      /** Whether nothing but Steward's own users and keys is there. Looked at only while authentication is off. */
      readonly isOurs: boolean;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly message: string };

/** Asks stores how they do. Never rejects but for the signal. */
export interface StoreChecks {
  /** Asks, or gives the answer of a moment ago: many things make a DataStore be looked at, and few concern its store. */
  check(dataStore: DataStore, signal: AbortSignal): Promise<StoreCheck>;
  /** Makes the next check ask again. */
  forget(dataStore: string): void;
}

export interface StoreChecksOptions {
  readonly connections: StoreConnections;
  readonly clock?: Clock;
  /** For how long an answer is good; 10 seconds when not given. Must be less than the time between two looks. */
  readonly maximumAgeMs?: number;
}

/** A store that did not answer may do so at any moment. */
const failureAgeMs = 1_000;

interface Remembered {
  readonly identity: string;
  readonly atMs: number;
  readonly check: StoreCheck;
}

/** Checks through the shared connections. */
export function createStoreChecks({
  connections,
  clock = systemClock,
  maximumAgeMs = 10_000,
}: StoreChecksOptions): StoreChecks {
  const remembered = new Map<string, Remembered>();
  return {
    check: async (dataStore, signal) => {
      const { name, uid, generation } = dataStore.metadata;
      const identity = `${uid}/${generation}`;
      const before = remembered.get(name);
      const ageLimitMs = before?.check.kind === "failed" ? failureAgeMs : maximumAgeMs;
      const isFresh = before?.identity === identity && clock.monotonicMs() - before.atMs < ageLimitMs;
      if (isFresh) return before.check;
      const check = await checkStore(dataStore, connections, signal);
      remembered.set(name, { identity, atMs: clock.monotonicMs(), check });
      return check;
    },
    forget: (dataStore) => void remembered.delete(dataStore),
  };
}

async function checkStore(
  dataStore: DataStore,
  connections: StoreConnections,
  signal: AbortSignal,
): Promise<StoreCheck> {
  try {
    // Secrets are read anew: a replaced certificate should be in use before the old one ends.
    requireUsable(await connections.refresh(dataStore, signal));
    const admin = await connections.admin(dataStore.metadata.name, signal);
    const status = await admin.status(signal);
    const isOurs = status.isAuthEnabled === false && (await isOnlyOurs(admin, signal));
    return { kind: "answered", status, isOurs };
  } catch (error) {
    signal.throwIfAborted();
    return failed(error);
  }
}

function requireUsable({ clientAuthority }: StoreMaterial): void {
  const { notBefore, isAuthority } = readCertificate(clientAuthority.cert);
  // Its age does not matter here; a store whose authority has ended refuses by itself.
  const fault = isAuthority
    ? faultOf(clientAuthority, { now: notBefore })
    : "the certificate is not one of an authority";
  if (fault === undefined) return;
  throw new InvalidInput(`spec.tlsConfig.certificateAuthority: ${fault}`, {
    hint: "Give the authority that signs the store's clients, with its own key.",
  });
}

async function isOnlyOurs(admin: EtcdAdmin, signal: AbortSignal): Promise<boolean> {
  const [users, all, tenants] = await Promise.all([
    admin.listUsers(signal),
    admin.countKeys("", signal),
    admin.countKeys(tenantsPrefix, signal),
  ]);
  return all === tenants && users.every((user) => user === "root" || user.startsWith(tenantUserPrefix));
}

function failed(error: unknown): StoreCheck {
  const hint = error instanceof ButlerError ? error.hint : undefined;
  const message = hint === undefined ? describeError(error) : `${describeError(error)}; ${hint}`;
  return { kind: "failed", reason: reasonOf(error), message };
}

function reasonOf(error: unknown): string {
  if (error instanceof NotFound) return "SecretMissing";
  if (error instanceof InvalidInput) return "InvalidCredentials";
  if (error instanceof Forbidden || error instanceof Unauthenticated) return "NotAllowed";
  return hasReason(error, "Timeout") ? "NotAnswering" : "Unreachable";
}
