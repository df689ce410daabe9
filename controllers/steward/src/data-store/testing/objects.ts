import { DataStore, TenantControlPlane } from "@butler/api";
import type { EtcdStatus } from "@butler/etcd";
import { parseObject } from "@butler/resource";
import type { StoreCheck } from "../store-check.ts";

/** A shared etcd, as the API server would return it. */
export function aDataStore(change: { metadata?: object; spec?: object; status?: object } = {}): DataStore {
  const { metadata, spec, status } = change;
  const store = parseObject(DataStore, DataStore.example);
  return {
    ...store,
    metadata: { ...store.metadata, uid: "uid-of-store", generation: 1, ...metadata },
    spec: { ...store.spec, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

/** A DataStore with a dedicated etcd for each control plane. */
export function aDedicatedDataStore(): DataStore {
  const store = aDataStore();
  const spec = { driver: "etcd", dedicated: { members: 1, storage: { size: "8Gi" } } } as const;
  return { ...store, spec };
}

/** A control plane, as the API server would return it. */
export function aControlPlane(change: { metadata?: object; spec?: object; status?: object } = {}): TenantControlPlane {
  const { metadata, spec, status } = change;
  const controlPlane = parseObject(TenantControlPlane, TenantControlPlane.example);
  return {
    ...controlPlane,
    metadata: { ...controlPlane.metadata, ...metadata },
    spec: { ...controlPlane.spec, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

/** The status of a healthy store. */
export function anAnswer(change: Partial<EtcdStatus> = {}, isOurs = false): StoreCheck {
  const status: EtcdStatus = {
    version: "3.7.3",
    leader: "1234",
    memberCount: 3,
    dbSize: 100 * 1024 * 1024,
    dbSizeInUse: 60 * 1024 * 1024,
    dbSizeQuota: 8 * 1024 ** 3,
    alarms: [],
    isAuthEnabled: true,
    endpoints: [{ endpoint: "etcd-0:2379" }, { endpoint: "etcd-1:2379" }],
    ...change,
  };
  return { kind: "answered", status, isOurs };
}
