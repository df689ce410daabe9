/** What the admission rules of all controllers share. */
export * from "./denials.ts";
export * from "./list-served.ts";
