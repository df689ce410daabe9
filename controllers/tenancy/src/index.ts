/**
 * Tenant clusters and their owners: teams, users, providers, and the platform's own settings. Controllers and
 * admission rules.
 */
export * from "./admission/index.ts";
export * from "./platform-controllers.ts";
export * from "./tenant-cluster/index.ts";
