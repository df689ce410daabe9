/**
 * What people change about a cluster from a terminal: the patch that it comes to, what it will do, and what the API
 * server's refusal means. The commands and the dashboard decide and say the same because both ask here.
 */
export * from "./refusal.ts";
export * from "./scale.ts";
export * from "./upgrade.ts";
