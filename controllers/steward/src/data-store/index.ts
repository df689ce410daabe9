/**
 * Stores of control plane state: the DataStore controller, its admission, connections to stores, the identity of a
 * control plane in its store, and the objects of an etcd that Steward runs.
 */
export { type DataStoreFacts, dataStoreAdmission, validateDataStore } from "./admission.ts";
export { dataStoreController, type DataStorePorts } from "./controller.ts";
export { type DefaultDataStoreSettings } from "./default-data-store.ts";
export {
  type DefaultDataStoreOptions,
  defaultDataStorePermissions,
  defaultDataStoreSingleton,
} from "./ensure-default-data-store.ts";
export {
  etcdSecretComponent,
  type EtcdSecretId,
  etcdSecretName,
  type EtcdSecretNeed,
  etcdSecretNeeds,
} from "./etcd-certificates.ts";
export { dedicatedEtcdName, etcdEndpoints, type EtcdPlace, etcdPorts } from "./etcd-names.ts";
export { etcdKinds } from "./kinds.ts";
export { dedicatedResources, defaultEtcdImage, type EtcdInput, etcdObjects } from "./manifests.ts";
export { defaultDataStoreName } from "./names.ts";
export { createDataStorePorts } from "./ports.ts";
export {
  createStoreConnections,
  type StoreConnections,
  type StoreConnectionsOptions,
  type StoreMaterial,
} from "./store-connection.ts";
export { etcdPrefixFlag, type TenantIdentity, tenantIdentity } from "./tenant-identity.ts";
