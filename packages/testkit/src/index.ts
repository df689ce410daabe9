/**
 * Test utilities: a manual clock, seeded randomness, plan invariants, the crash harness and a fault-injecting proxy.
 * Imported by tests and benchmarks only.
 */
export * from "./builders.ts";
export * from "./crash-harness.ts";
export * from "./eventually.ts";
export * from "./fake-clock.ts";
export * from "./fault-proxy.ts";
export * from "./ignore-races.ts";
export * from "./limited-clients.ts";
export * from "./loose-crds.ts";
export * from "./plan-invariants.ts";
export * from "./random.ts";
export * from "./remove-namespace.ts";
export * from "./run-controllers.ts";
export * from "./shared-engine.ts";
export { noteStarted } from "./tally.ts";
export * from "./soak.ts";
export * from "./test-cluster.ts";
