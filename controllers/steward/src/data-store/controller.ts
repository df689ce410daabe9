import { DataStore, TenantControlPlane } from "@butler/api";
import { defineController, via } from "@butler/controller";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { dataStoreFinalizer, dataStoreLabel } from "./names.ts";
import { byDataStore, dataStoresOf, observe } from "./observe.ts";
import { type DataStoreEffect, type Observed, plan } from "./plan.ts";
import type { CertificateRenewal } from "./renew-certificate.ts";
import type { StoreChecks } from "./store-check.ts";
import type { StoreConnections } from "./store-connection.ts";

/** Everything that the controller uses besides its caches. */
export interface DataStorePorts {
  readonly connections: StoreConnections;
  readonly checks: StoreChecks;
  readonly renewCertificate: CertificateRenewal;
}

/** Only Secrets of stores that Steward created; others need not be cached. */
const ofStores = { labelSelector: dataStoreLabel };

/** Monitors stores: their health, their control planes, and the isolation of tenants. */
export const dataStoreController = defineController<typeof DataStore, Observed, DataStoreEffect, DataStorePorts>({
  name: "data-store",
  primary: DataStore,
  watches: [
    via(TenantControlPlane, (controlPlane) => dataStoresOf(controlPlane).map((name) => ({ name }))),
    via(builtinKinds.Secret, (secret) => labelledStore(secret).map((name) => ({ name })), ofStores),
  ],
  indexes: [
    { kind: TenantControlPlane, name: byDataStore, of: (object) => dataStoresOf(object as TenantControlPlane) },
    { kind: builtinKinds.Secret, name: byDataStore, of: labelledStore },
  ],
  // Contents are read from Secrets of any name, and expiring certificates are renewed.
  permissions: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "patch"] }],
  finalizer: dataStoreFinalizer,
  // A pass may wait a few seconds for an unreachable store; other DataStores should not wait for it.
  concurrency: 8,
  observe,
  plan,
  perform: {
    enableAuthentication: async ({ dataStore }, { connections, checks }, signal) => {
      try {
        await (await connections.admin(dataStore, signal)).enableAuth(signal);
      } finally {
        // A check in the meantime may have cached the opposite.
        checks.forget(dataStore);
      }
    },
    renewCertificate: ({ type: _type, ...due }, { renewCertificate }, signal) => renewCertificate(due, signal),
  },
});

function labelledStore({ metadata }: KubeObject): string[] {
  const name = metadata.labels?.[dataStoreLabel];
  return name === undefined ? [] : [name];
}
