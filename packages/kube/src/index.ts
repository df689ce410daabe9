/**
 * Access to the Kubernetes API: a typed client, self-healing caches, a work queue, leader election and an admission
 * server. Independent of particular kinds and of any decisions.
 */
export * from "./admission/admission-review.ts";
export * from "./admission/admission-server.ts";
export * from "./client/api-errors.ts";
export * from "./cache/cache-set.ts";
export type { Serving } from "./cache/serving.ts";
export * from "./client/bounded-reads.ts";
export * from "./client/client.ts";
export * from "./client/cluster-networks.ts";
export * from "./client/connect.ts";
export * from "./client/connection.ts";
export { KubeConfig } from "@kubernetes/client-node";
export type { Impersonation, Requests } from "./client/impersonation.ts";
export * from "./cache/informer.ts";
export * from "./client/install-crds.ts";
export * from "./election/leader-election.ts";
export type { LeaseClient } from "./election/lease-contender.ts";
export * from "./cache/follower.ts";
export * from "./client/object-for.ts";
export * from "./client/pod-log.ts";
export * from "./cache/object-store.ts";
export * from "./process/process-lifecycle.ts";
export * from "./client/tenant-kubeconfig.ts";
export * from "./client/transport.ts";
export * from "./client/watch.ts";
export * from "./work-queue.ts";
