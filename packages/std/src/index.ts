/**
 * Values without a home of their own: errors with stable codes, time, back-off, quantities, durations, IP addresses and
 * JSON.
 * Nothing here knows Kubernetes' API or does any input or output.
 */
export * from "./age.ts";
export * from "./backoff.ts";
export * from "./clock.ts";
export * from "./duration.ts";
export * from "./errors.ts";
export * from "./gate.ts";
export * from "./ip-address.ts";
export * from "./ip-range.ts";

export * from "./json.ts";
export * from "./name-some.ts";
export * from "./networks-of.ts";
export * from "./printable.ts";
export * from "./quantity.ts";
