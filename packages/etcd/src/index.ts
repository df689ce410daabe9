/**
 * Administration of etcd over gRPC: health, users, roles and keys of tenants. Client certificates only; etcd's JSON
 * gateway cannot tell users apart by them. Nothing here knows Kubernetes.
 */
export * from "./etcd-admin.ts";
export type { EtcdConnection } from "./etcd-calls.ts";
export { hasReason } from "./etcd-errors.ts";
export type { EndpointStatus, EtcdAlarm, EtcdStatus } from "./etcd-status.ts";
export type { EtcdTenant } from "./tenant-access.ts";
