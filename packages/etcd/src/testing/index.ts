/** Test kit for a real etcd, for this and other packages. Imported by tests only. */
export * from "./etcd-keys.ts";
export * from "./etcd-process.ts";
export * from "./slow-proxy.ts";
