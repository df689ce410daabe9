/**
 * Connections to identity providers: requests to URLs from settings, restricted to allowed addresses, and the discovery
 * document of an issuer. Used by the server, the controller that validates providers, and the operators' command line.
 */
export * from "./ask-issuer.ts";
export * from "./judge-issuer.ts";
export { outgoingFetch, type OutgoingOptions, type OutgoingRules } from "@butler/std/outgoing";
