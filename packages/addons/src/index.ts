/**
 * What an add-on needs and gets: which release is wanted, with which values and who decided them, what must be there
 * first, and what cannot be together. Pure functions over kinds, so that controllers, admission, server, console and
 * command lines give the same answer.
 */
export * from "./baseline/index.ts";
export * from "./assigned-values.ts";
export * from "./closest-name.ts";
export * from "./definition-faults.ts";
export * from "./dependencies.ts";
export * from "./form-fields.ts";
export * from "./kubernetes-range.ts";
export * from "./merge-values.ts";
export * from "./repository-address.ts";
export * from "./restrictions.ts";
export * from "./slots.ts";
export * from "./values-schema.ts";
export * from "./wanted-release.ts";
