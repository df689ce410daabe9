/** What tests of this and other packages need to work with a real etcd. Imported by tests only. */
export * from "./etcd-keys.ts";
export * from "./etcd-process.ts";
export * from "./slow-proxy.ts";
