/** What the controllers of tenancy share: namespaces they make, whose a cluster is, and saying only what is theirs. */
export { clusterNames, isClusterOf, teamsConcerned } from "./clusters.ts";
export { buildNamespace, isMadeBy } from "./namespaces.ts";
export { type SecretKeys, secretKeysBy } from "./secret-keys.ts";
export { statusShare } from "./status-share.ts";
