/**
 * Why a cluster is as it is: facts are read through a client, and from them comes the cause, with the way down to it and
 * what to do about it. The server and the command line say the same because both ask here.
 */
export { poolSizes, wantedWorkers, workersText } from "./cluster-texts.ts";
export { type ClusterFacts, controlPlanePods, providerKey, type Warning } from "./facts.ts";
export type { Finding } from "./finding.ts";
export { type FactsSource, readFacts } from "./read-facts.ts";
export { type EventView, isAbout, type NodeView, showEvent, showNode } from "./tenant-facts.ts";
export { why } from "./why.ts";
