/**
 * Every kind that Butler owns: a file per kind, with the pure functions that read older spellings and defaults beside
 * it. No input or output, and nothing that needs a cluster.
 */
export * from "./all-resources.ts";
