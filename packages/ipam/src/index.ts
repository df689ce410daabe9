/**
 * Free addresses of a pool, allocation of blocks, and summary and drawing of a pool. Pure and independent of
 * Kubernetes. The cost depends on the number of free blocks, never on the number of addresses.
 */
export * from "./address-space.ts";
export * from "./choose-address.ts";
export * from "./describe-range.ts";
export * from "./draw-pool.ts";
export * from "./pool-drawing.ts";
export * from "./pool-shape.ts";
export type { PoolUsage } from "./usage.ts";
