/**
 * The parts of other projects' APIs that Butler reads or writes: Cluster API's kinds (contract v1beta2) and pods. Only
 * where objects are found, what their fields are called, what Cluster API's contract says of belonging and pausing, and
 * what keeps a pod from running; their own API servers and webhooks do the checking.
 */
export * from "./cluster-api-names.ts";
export * from "./cluster.ts";
export * from "./contract-reference.ts";
export * from "./kubeadm-config-template.ts";
export * from "./machine-deployment.ts";
export * from "./machine-set.ts";
export * from "./machine.ts";
export * from "./membership.ts";
export * from "./pod-blockers.ts";
export * from "./pod.ts";
export * from "./restricted-pod.ts";
