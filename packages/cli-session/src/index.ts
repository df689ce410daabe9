/**
 * How Butler's command lines connect to the management cluster and to butler-server, how they store a sign-in, and the
 * errors when there is none.
 */
export * from "./login-file.ts";
export * from "./name-sources.ts";
export { credentialCommand } from "./open-connection.ts";
export * from "./server.ts";
export * from "./server-versions.ts";
export * from "./session.ts";
export * from "./stored-login.ts";
