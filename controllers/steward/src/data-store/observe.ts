import { type DataStore, TenantControlPlane } from "@butler/api";
import type { CacheReader, ObserveContext } from "@butler/controller";
import { builtinKinds, isBeingDeleted, keyOf, keyText } from "@butler/resource";
import { pausedAnnotation } from "../names.ts";
import { defaultDataStoreName } from "./names.ts";
import type { DueCertificate, Observed } from "./plan.ts";
import { dueCertificate, signerKeyOf } from "./renew-certificate.ts";
import type { StoreChecks } from "./store-check.ts";
import type { StoreConnections } from "./store-connection.ts";

/** Index of control planes and Secrets by their DataStore. */
export const byDataStore = "data-store";

/** Every DataStore that a control plane uses or will use. */
export function dataStoresOf({ spec, status }: TenantControlPlane): string[] {
  const names = [
    spec.dataStore || defaultDataStoreName,
    ...(spec.dataStoreOverrides ?? []).map(({ dataStore }) => dataStore),
    ...(status?.storage?.dataStoreName === undefined ? [] : [status.storage.dataStoreName]),
  ];
  return [...new Set(names)];
}

interface ObservePorts {
  readonly checks: StoreChecks;
  readonly connections: Pick<StoreConnections, "forget">;
}

/** Reads what the plan needs and checks the store. */
export async function observe({
  primary,
  read,
  ports,
  now,
  signal,
}: ObserveContext<typeof DataStore, ObservePorts>): Promise<Observed | undefined> {
  const { name, annotations } = primary.metadata;
  if (annotations?.[pausedAnnotation] !== undefined) return undefined;
  const usedBy = read
    .byIndex(TenantControlPlane, byDataStore, name)
    .map((controlPlane) => keyText(keyOf(controlPlane)))
    .sort();
  // It is not requested again, and nothing else would close it.
  if (isBeingDeleted(primary) && usedBy.length === 0) ports.connections.forget(name);
  const { driver, dedicated } = primary.spec;
  const hasStore = driver === "etcd" && dedicated === undefined && !isBeingDeleted(primary);
  return {
    dataStore: primary,
    usedBy,
    check: hasStore ? await ports.checks.check(primary, signal) : undefined,
    dueCertificates: dueCertificates(read, name, now),
  };
}

function dueCertificates(read: CacheReader, dataStore: string, now: Date): DueCertificate[] {
  const secrets = read.byIndex(builtinKinds.Secret, byDataStore, dataStore);
  return secrets.flatMap((secret) => {
    const signerKey = signerKeyOf(secret);
    const due = signerKey && dueCertificate(secret, read.get(builtinKinds.Secret, signerKey), now);
    return due === undefined ? [] : [due];
  });
}
