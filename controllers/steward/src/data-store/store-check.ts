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
import type { Blocker } from "@butler/resource";
import type { StoreConnections, StoreMaterial } from "./store-connection.ts";
import { tenantsPrefix, tenantUserPrefix } from "./tenant-identity.ts";

/** The result of checking a store. */
export type StoreCheck =
  | {
      readonly kind: "answered";
      readonly status: EtcdStatus;
      /** Whether the store has only Steward's own users and keys. Checked only while authentication is off. */
      readonly isOurs: boolean;
    }
  | (Blocker & { readonly kind: "failed" });

/** Checks the state of stores. Rejects only when the signal aborts. */
export interface StoreChecks {
  /** Checks the store, or returns the recent result: many events reconcile a DataStore, and few concern its store. */
  check(dataStore: DataStore, signal: AbortSignal): Promise<StoreCheck>;
  /** Invalidates the result, so that the next check queries the store. */
  forget(dataStore: string): void;
}

export interface StoreChecksOptions {
  readonly connections: StoreConnections;
  readonly clock?: Clock;
  /** How long a result is valid; 10 seconds by default. Must be less than the check interval. */
  readonly maximumAgeMs?: number;
}

/** An unreachable store may recover at any moment. */
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
    // Secrets are read again: a replaced certificate must be in use before the old one expires.
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
  // Its age does not matter here; a store whose CA has expired rejects clients itself.
  const fault = isAuthority ? faultOf(clientAuthority, { now: notBefore }) : "the certificate is not a CA certificate";
  if (fault === undefined) return;
  throw new InvalidInput(`spec.tlsConfig.certificateAuthority: ${fault}`, {
    hint: "Specify the CA that signs the store's client certificates, with its private key.",
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
