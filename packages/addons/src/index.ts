/**
 * Add-on logic: the desired release, its merged values and their origin, dependencies and conflicts. Pure functions
 * over kinds, so that controllers, admission, server, console and command lines agree.
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
export * from "./timeout.ts";
export * from "./values-schema.ts";
export * from "./wanted-release.ts";
