/** Which users and groups Butler's server may impersonate: users with an account and the groups of teams only. */
export { impersonationSingleton } from "./singleton.ts";
