/** How Butler's command lines come to a connection with the management cluster, and what they say when there is none. */
export * from "./session.ts";
