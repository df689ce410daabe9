/**
 * Tenant clusters and whom they belong to: teams, people, providers, and the platform's own settings. Controllers, and
 * the rules by which the API server is told what may be stored.
 */
export * from "./admission/index.ts";
export * from "./platform-controllers.ts";
export * from "./tenant-cluster/index.ts";
export { tenantNamespaceBindings } from "./team/index.ts";
