/**
 * What people change about a cluster from a terminal: the patch that it comes to, what it will do, what the API server's
 * refusal means, and how an add-on is told of. The commands and the dashboard decide and say the same because both ask here.
 */
export * from "./addon-view.ts";
export * from "./refusal.ts";
export * from "./scale.ts";
export * from "./upgrade.ts";
