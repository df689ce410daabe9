/**
 * The port between tenant clusters and infrastructures, and what its implementations share: machines that run Rocky
 * Linux, sizes, labels and names that every API accepts. A provider is a folder of `providers/`; apps/butler lists them.
 */
export { remoteMachineAddons } from "./accepted-addons.ts";
export { credentialsSecret, missingCredentials, withoutRepeats } from "./accepted-credentials.ts";
export { machineLabels, nodeLabelFaults } from "./accepted-node-labels.ts";
export { bytesLess, type SmallestMachine, wholeBytes } from "./accepted-sizes.ts";
export * from "./accepted-text.ts";
export { bootstrapSpec } from "./bootstrap.ts";
export * from "./machine-provider.ts";
export * from "./machine-providers.ts";
export { poolsOf } from "./pools.ts";
export { rootFile } from "./rocky-preparation.ts";
export { rockyFaults } from "./rocky.ts";
export { unsupportedSystem } from "./unsupported.ts";
