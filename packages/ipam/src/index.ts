/**
 * Which addresses of a pool are free, which block a request gets, and how a pool is summed up and drawn. Pure: nothing
 * here knows Kubernetes, and the cost of an answer grows with the number of free blocks, never with the number of
 * addresses.
 */
export * from "./address-space.ts";
export * from "./choose-address.ts";
export * from "./describe-range.ts";
export * from "./draw-pool.ts";
export * from "./pool-drawing.ts";
export * from "./pool-shape.ts";
export type { PoolUsage } from "./usage.ts";
