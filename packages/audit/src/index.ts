/**
 * How the audit log is read: what a record is, and the search over all segments. The server and the command line find
 * the same because both ask here. Writing is the server's business alone.
 */
export * from "./record.ts";
export * from "./search.ts";
