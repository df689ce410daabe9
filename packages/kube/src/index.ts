/**
 * Access to the Kubernetes API: a typed client, self-healing caches, a work queue, leader election and an admission
 * server. Independent of particular kinds and of any decisions.
 */
export * from "./admission-review.ts";
export * from "./admission-server.ts";
export * from "./api-errors.ts";
export * from "./cache-set.ts";
export * from "./client.ts";
export * from "./connect.ts";
export * from "./connection.ts";
export { KubeConfig } from "@kubernetes/client-node";
export type { Impersonation, Requests } from "./impersonation.ts";
export * from "./informer.ts";
export * from "./install-crds.ts";
export * from "./leader-election.ts";
export type { LeaseClient } from "./lease-contender.ts";
export * from "./object-for.ts";
export * from "./object-store.ts";
export * from "./process-lifecycle.ts";
export { guardAgainstStall } from "./stall-guard.ts";
export * from "./tenant-kubeconfig.ts";
export * from "./transport.ts";
export * from "./watch.ts";
export * from "./work-queue.ts";
