/** Shared by the tenancy controllers: namespaces, cluster ownership, and partial status updates. */
export { clusterNames, isClusterOf, teamsConcerned } from "./clusters.ts";
export { buildNamespace, isMadeBy } from "./namespaces.ts";
export { type SecretKeys, secretKeysBy } from "./secret-keys.ts";
export { statusShare } from "./status-share.ts";
