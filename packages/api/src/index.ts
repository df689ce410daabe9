/**
 * Every kind that Butler owns: a file per kind, with the pure functions that read older spellings and defaults beside
 * it. No input or output, and nothing that needs a cluster.
 */
export * from "./all-resources.ts";
export * from "./butler/addon-definition.ts";
export * from "./butler/address-claim.ts";
export * from "./butler/audit-segment.ts";
export * from "./butler/butler-config.ts";
export * from "./butler/cluster-bootstrap.ts";
export * from "./butler/cluster-creation-policy.ts";
export * from "./butler/identity-provider.ts";
export * from "./butler/image-sync.ts";
export * from "./butler/ip-allocation.ts";
export * from "./butler/kubeconfig-access.ts";
export * from "./butler/load-balancer-request.ts";
export * from "./butler/local-machines.ts";
export * from "./butler/machine-request.ts";
export * from "./butler/management-addon.ts";
export * from "./butler/network-pool.ts";
export * from "./butler/provider-config.ts";
export * from "./butler/provider-credentials.ts";
export { type ProviderType, providerTypes } from "./butler/provider-type.ts";
export * from "./butler/states.ts";
export * from "./butler/team-access.ts";
export * from "./butler/team-limits.ts";
export * from "./butler/team-role.ts";
export * from "./butler/team.ts";
export * from "./butler/tenant-addon.ts";
export { type EffectiveMachine, effectiveMachine, type MachineTemplate } from "./butler/tenant-cluster-workers.ts";
export * from "./butler/tenant-cluster-kind.ts";
export * from "./butler/tenant-cluster-relations.ts";
export * from "./butler/tenant-cluster.ts";
export * from "./butler/user.ts";
export * from "./butler/well-known.ts";
export * from "./butler/worker-counts.ts";
export * from "./butler/workspace-template.ts";
export * from "./butler/workspace.ts";
export * from "./local/local-cluster.ts";
export * from "./local/local-machine-template.ts";
export * from "./local/local-machine.ts";
export * from "./steward/data-store.ts";
export * from "./steward/kubeconfig-generator.ts";
export * from "./steward/kubernetes-version.ts";
export * from "./steward/steward-control-plane-template.ts";
export * from "./steward/steward-control-plane.ts";
export * from "./steward/tenant-control-plane.ts";
