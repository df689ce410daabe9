/**
 * Explains a cluster's state: reads facts through a client and derives the cause from them, with the chain of objects
 * down to it and the next step. The server and the command line give the same answer because both use this package.
 */
export { workersText } from "./cluster-texts.ts";
export { type ClusterFacts, controlPlanePods, providerKey, type Warning } from "./facts.ts";
export type { Diagnosis } from "./diagnosis.ts";
export { type FactsSource, readFacts } from "./read-facts.ts";
export { type EventView, isAbout, type NodeView, showEvent, showNode } from "./tenant-facts.ts";
export { why } from "./why.ts";
