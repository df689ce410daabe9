/**
 * Reading the audit log: the format of a record, and the search over all segments. Shared by the server and the command
 * line, so that both return the same results. Only the server writes.
 */
export * from "./record.ts";
export * from "./search.ts";
