/**
 * Addresses of tenant clusters: who gets which, how long they rest before somebody else gets them, and what a pool has
 * left. The only place that gives addresses.
 */
export * from "./network-controllers.ts";
export * from "./tenant-load-balancers/index.ts";
