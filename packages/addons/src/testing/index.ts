/** Builders for add-on tests; each test sets only the fields it is about. */
export * from "./some-objects.ts";
