/**
 * Connections to addresses from settings that others wrote: one rule for chart repositories, registries, identity
 * providers and webhooks. Apart from the rest of this package, because it opens connections.
 */
export * from "./address-reach.ts";
export * from "./guarded-lookup.ts";
export * from "./outgoing-fetch.ts";
export * from "./outgoing-rules.ts";
