/**
 * How Butler's command lines come to a connection with the management cluster and with butler-server, what they keep of a
 * sign-in, and what they say when there is none.
 */
export * from "./login-file.ts";
export * from "./name-sources.ts";
export { credentialCommand } from "./open-connection.ts";
export * from "./server.ts";
export * from "./server-versions.ts";
export * from "./session.ts";
export * from "./stored-login.ts";
