/**
 * Addresses of tenant clusters: allocation, quarantine and capacity. Only these controllers allocate addresses.
 */
export * from "./admission/index.ts";
export * from "./network-controllers.ts";
export * from "./tenant-load-balancers/index.ts";
