/** Valid input for machine providers, to be changed in one place by each test. */
export * from "./machine-inputs.ts";
export * from "./pools.ts";
