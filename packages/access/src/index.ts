/**
 * Who may do what, and how much of it: people and their roles, what a role may do in a namespace, and the arithmetic of
 * quota. Pure functions over kinds, so that admission, controllers, server and command lines give the same answer.
 */
export * from "./limits.ts";
export * from "./namespace-rules.ts";
export * from "./person.ts";
export * from "./quota.ts";
export * from "./team-role.ts";
export * from "./usage.ts";
export * from "./utilisation.ts";
