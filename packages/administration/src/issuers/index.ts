/**
 * Speaking to identity providers: requests to addresses that come from settings, with what they must not lead to, and
 * what an issuer says of itself. For the server, for the controller that judges providers, and for operators.
 */
export * from "./ask-issuer.ts";
export * from "./judge-issuer.ts";
export * from "./outgoing.ts";
