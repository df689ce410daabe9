/** Test kit for the whole server: servers as in production, on a real API server, with users. */
export { newObject } from "../handlers/writing.ts";
export { Browser } from "../identity/sign-in/testing/browser.ts";
export { type ForgedIssuer, startForgedIssuer } from "../identity/sign-in/testing/forged-issuer.ts";
export { type Account, type IdentityServer, startIdentityServer } from "../identity/sign-in/testing/identity-server.ts";
export { change, host, post } from "../identity/sign-in/testing/signing-servers.ts";
export { placeOf } from "./server-for-tests.ts";
export { bindPlatform, bindTeam } from "./served.ts";
export { addProvider, startWholeServer, type WholeServer } from "./whole-server.ts";
