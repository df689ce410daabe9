/**
 * General utilities: errors with stable codes, time, backoff, quantities, durations, IP addresses and JSON. This
 * package does not know Kubernetes' API and does no I/O.
 */
export * from "./age.ts";
export * from "./backoff.ts";
export * from "./clock.ts";
export * from "./duration.ts";
export * from "./errors.ts";
export * from "./ip-address.ts";
export * from "./ip-range.ts";

export * from "./json.ts";
export * from "./name-some.ts";
export * from "./networks-of.ts";
export * from "./printable.ts";
export * from "./quantity.ts";
export * from "./time-limit.ts";
