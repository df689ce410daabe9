/**
 * Permissions and quota: users and their roles, the rules of a role in a namespace, and quota arithmetic. Pure
 * functions over kinds, so that admission, controllers, server and command lines agree.
 */
export * from "./address-quota.ts";
export * from "./caller.ts";
export * from "./identity.ts";
export * from "./identity-claims.ts";
export * from "./identity-password.ts";
export * from "./cli-account.ts";
export * from "./group-names.ts";
export * from "./limits.ts";
export * from "./namespace-rules.ts";
export * from "./permissions.ts";
export * from "./person.ts";
export * from "./plain-names.ts";
export * from "./provider-reach.ts";
export * from "./quota.ts";
export * from "./team-members.ts";
export * from "./team-role.ts";
export * from "./team-usage.ts";
export * from "./usage.ts";
export * from "./utilisation.ts";
