/**
 * The parts of other projects' APIs that Butler reads or writes: Cluster API's kinds (contract v1beta2) and pods. Only
 * where objects are found and what their fields are called; their own API servers and webhooks do the checking.
 */
export * from "./cluster-api-names.ts";
export * from "./cluster.ts";
export * from "./contract-reference.ts";
export * from "./kubeadm-config-template.ts";
export * from "./machine-deployment.ts";
export * from "./machine.ts";
export * from "./pod.ts";
