/** Where an attack is tested: in `test/security`, or in the package that it concerns. */
export interface Attack {
  readonly title: string;
  /** Files of `test/security`, each with a test of that number. */
  readonly here?: readonly string[];
  /** Why it does not concern a server, or which part of it does not. */
  readonly because?: string;
  /** Tests elsewhere, from the root of the repository. */
  readonly elsewhere?: readonly string[];
}

const admission = "controllers/tenancy/src/admission";

/** Every attack that a platform such as Butler has to resist, by number. */
export const attacks: Readonly<Record<number, Attack>> = {
  1: { title: "a client sends Impersonate-* headers", here: ["requests"] },
  2: { title: "an identity counts beyond its cluster or team", here: ["tenancy"] },
  3: { title: "groups of a token become reserved groups", here: ["tokens"] },
  4: { title: "a generic outbound proxy", here: ["secrets"] },
  5: { title: "a stored credential is used by who knows its name", here: ["tenancy"] },
  6: { title: "the server is sent to internal addresses", here: ["secrets"] },
  7: { title: "a WebSocket is hijacked from another site", here: ["sockets"] },
  8: { title: "a terminal outlives session or role, or opens in the wrong cluster", here: ["sockets"] },
  9: { title: "tokens outlive provider, person or group", here: ["tokens", "sockets", "command-lines"] },
  10: { title: "a removed role leaves rights behind", here: ["tenancy", "command-lines"] },
  11: { title: "tokens are predictable, or unchanged when regenerated", here: ["accounts", "command-lines"] },
  12: { title: "a proof of identity is replayed", here: ["tokens", "accounts"] },
  13: { title: "phishing through the sign-in of a command line", here: ["command-lines"] },
  14: { title: "a name is taken over, or an account reset from below", here: ["tokens", "accounts", "tenancy"] },
  15: { title: "a scoped credential works beyond its scope", here: ["tenancy", "command-lines"] },
  16: { title: "a sign-out ends more than it should", here: ["tokens"] },
  17: { title: "a member gives a role above their own", here: ["tenancy"] },
  18: {
    title: "a rule without its API group",
    because: "roles are data of packages/access",
    elsewhere: ["packages/access/src/namespace-rules.test.ts"],
  },
  19: {
    title: "reserved subjects become members",
    here: ["tenancy"],
    elsewhere: [`${admission}/team.test.ts`],
  },
  20: { title: "a cluster is moved to a foreign team", here: ["tenancy"] },
  21: {
    title: "admission is missing, and nothing is checked",
    because: "admission runs in its own process; the server's own checks are tried here without it",
    elsewhere: ["apps/butler/src/admission/admission.test.ts"],
  },
  22: {
    title: "a kubeconfig or credential runs code in the control plane",
    because: "kubeconfigs of tenants are read by packages/tenant-clients alone",
    elsewhere: [
      "packages/tenant-clients/src/tenant-clients.test.ts",
      "packages/tenant-clients/src/tenant-credentials.test.ts",
    ],
  },
  23: {
    title: "store prefixes overlap",
    because: "stores of tenants are Steward's",
    elsewhere: ["controllers/steward/src/data-store"],
  },
  24: { title: "SQL injection in the store driver", because: "no SQL store is used; etcd is accessed over gRPC" },
  25: {
    title: "a managed cluster forges a certificate request",
    because: "the server signs no certificates; Steward does",
    elsewhere: ["controllers/steward/src/tenant-control-plane"],
  },
  26: {
    title: "an agent trusts any host with the name",
    because: "authorities are in the kubeconfig; no trust is fetched",
    elsewhere: ["packages/tenant-clients/src/tenant-credentials.test.ts"],
  },
  27: {
    title: "a template creates cluster-scoped objects",
    because: "the server writes only kinds of its routes, as the person; add-ons are applied in the tenant",
    elsewhere: ["controllers/addons/src/release"],
  },
  28: {
    title: "a reference into another namespace",
    because: "references are resolved by controllers; what the server itself resolves is tried under 5",
    elsewhere: [`${admission}/provider-config.test.ts`, "controllers/addons/src/admission/tenant-addon.test.ts"],
  },
  29: { title: "status or ownership changed through another way in", here: ["tenancy"] },
  30: {
    title: "driver code escapes, or reads files",
    because: "the server loads no plug-ins and reads no paths from requests",
  },
  31: {
    title: "quota overrun by many creations at once",
    because: "admission reserves under one ledger",
    elsewhere: [`${admission}/admission.cluster.test.ts`],
  },
  32: { title: "names told apart by error or time", here: ["tenancy", "sockets", "accounts"] },
  33: { title: "credentials in plain fields of objects", here: ["secrets"] },
  34: { title: "secrets in logs, audit and errors", here: ["secrets"] },
  35: { title: "secrets through a details endpoint", here: ["secrets"] },
  36: {
    title: "chart values readable by others, or sent to a foreign host",
    because: "charts are fetched by the add-on controllers; that answers hide values is tried under 35",
    elsewhere: ["packages/helm/src"],
  },
  37: {
    title: "backups hold live credentials",
    because: "the server keeps no backups; what it stores are hashes (33)",
  },
  38: { title: "XSS in names, errors and links", here: ["requests", "tokens"] },
  39: {
    title: "argument injection into git or helm",
    because: "the server runs no programs",
    elsewhere: ["packages/helm/src"],
  },
  40: {
    title: "path traversal in chart archives",
    because: "archives are opened by packages/helm alone",
    elsewhere: ["packages/helm/src"],
  },
  41: { title: "exhaustion without signing in", here: ["requests", "sockets"] },
  42: {
    title: "an endless answer from outside",
    because: "the one thing that the server fetches are issuers' documents",
    elsewhere: ["apps/server/src/identity/sign-in/oidc-flow.test.ts"],
  },
  43: { title: "a hard or invalid pattern", here: ["requests"] },
  44: { title: "weak defaults", here: ["accounts"] },
  45: {
    title: "an internal hop without encryption or authentication",
    because: "replicas share nothing but the Kubernetes API, and no cache listens anywhere",
  },
  46: {
    title: "webhooks of tenants block upgrades",
    because: "that is for the controllers of tenants; the server waits for no tenant longer than its time limit",
    elsewhere: ["packages/tenant-clients/src/reachability.test.ts"],
  },
  47: {
    title: "a finalizer holds a deleted object, and its rules are skipped",
    because: "one rule for every webhook, and controllers judge references again where they use them",
    elsewhere: [
      "packages/kube/src/admission/terminating.test.ts",
      "apps/butler/src/admission/terminating.test.ts",
      `${admission}/terminating.cluster.test.ts`,
      "controllers/tenancy/src/tenant-cluster/observe.test.ts",
    ],
  },
  48: {
    title: "a group or address of one provider passes as another's",
    here: ["tokens"],
    elsewhere: ["packages/access/src/group-names.test.ts", "packages/access/src/identity.test.ts"],
  },
  49: {
    title:
      "limits are passed by fields that they do not count, and foreign settings, stores and addresses chosen freely",
    because: "admission decides about clusters, and the controller about addresses",
    elsewhere: [
      `${admission}/tenant-cluster/free-choices.test.ts`,
      `${admission}/tenant-cluster/quota.test.ts`,
      "controllers/tenancy/src/tenant-cluster/addresses/plan-addresses.test.ts",
    ],
  },
  50: {
    title: "a container or volume of a control plane reaches its node, or foreign Secrets",
    because: "control planes are Steward's",
    elsewhere: ["controllers/steward/src/tenant-control-plane/admission/validate-pod-rights.test.ts"],
  },
  51: {
    title: "a failed deletion is given up, and frees quota and addresses of machines that run on",
    because: "admission decides who may, and the controller what stays",
    elsewhere: [
      `${admission}/tenant-cluster/release.test.ts`,
      "controllers/tenancy/src/tenant-cluster/plan-deletion.test.ts",
    ],
  },
  70: {
    title: "a machine that is a pod sees or opens a disk of its host",
    because: "pods of machines are the local provider's",
    elsewhere: ["test/e2e/local-workers.engine.test.ts", "providers/local/src/local-machine/manifests.test.ts"],
  },
  71: {
    title: "a pod with an image of a tenant's choice runs on a management node",
    because: "admission decides about images, and the local provider again before it creates a pod",
    elsewhere: [
      "packages/api/src/butler/local-machines.test.ts",
      `${admission}/tenant-cluster/free-choices.test.ts`,
      `${admission}/provider-config.test.ts`,
      "providers/local/src/local-machine/observe.test.ts",
      "providers/local/src/local-provider.cluster.test.ts",
    ],
  },
  72: {
    title: "a team offers machines that are pods of the management cluster",
    because: "admission decides about ProviderConfigs, and controllers about those that exist",
    elsewhere: [
      `${admission}/provider-config.test.ts`,
      `${admission}/tenant-cluster/free-choices.test.ts`,
      "controllers/tenancy/src/provider-config/plan.test.ts",
      "controllers/tenancy/src/tenant-cluster/plan.test.ts",
      "apps/console/src/pages/admin/admin-decisions.test.ts",
    ],
  },
  73: {
    title: "a team's own ProviderConfig passes as an allowed one of the same name",
    because: "one rule for admission and the console",
    elsewhere: ["packages/access/src/provider-reach.test.ts", `${admission}/tenant-cluster/choices.test.ts`],
  },
  74: {
    title: "a pod that reaches its node starts in a cluster's namespace that needs none",
    because: "the controller creates these namespaces",
    elsewhere: ["controllers/tenancy/src/tenant-cluster/render/namespace.test.ts"],
  },
};

/**
 * Holes that were walked through on a running engine, by their number in that report; those from 80 on concern what Butler
 * is built from. Tests here name them `hole N`.
 */
export const holes: Readonly<Record<number, Attack>> = {
  3: {
    title: "forged Helm releases, endless lists or a template fill the memory of the controllers",
    elsewhere: [
      "packages/kube/src/client/bounded-reads.test.ts",
      "packages/helm/src/decode/release-decoder.test.ts",
      "packages/helm/src/run/memory-limit.test.ts",
      "controllers/addons/src/release/read-history.test.ts",
      "controllers/addons/src/tenant-addon/hostile.cluster.test.ts",
      "engine/src/images/small-programs.test.ts",
    ],
  },
  4: {
    title: "a component's token leads to an administrator of the management cluster",
    here: ["walk"],
    elsewhere: ["test/security/lib/walk/by-design.test.ts"],
  },
  5: {
    title: "add-ons with hanging hooks stop add-on work for every team",
    elsewhere: [
      "controllers/addons/src/jobs/next-job.test.ts",
      "controllers/addons/src/jobs/release-jobs.test.ts",
      "controllers/addons/src/release/decide-release.test.ts",
      "controllers/addons/src/admission/tenant-addon.test.ts",
      "controllers/addons/src/tenant-addon/hostile.cluster.test.ts",
      "packages/addons/src/timeout.test.ts",
      "packages/addons/src/baseline/is-of-baseline.test.ts",
    ],
  },
  8: {
    title: "access outlives a membership: the admin kubeconfig, and groups of signed-in command lines",
    here: ["tenancy", "group-age"],
    elsewhere: [
      "packages/access/src/namespace-rules.test.ts",
      "apps/console/src/parts/operating.test.ts",
      "apps/server/src/identity/cli-access/login.test.ts",
    ],
  },
  10: {
    title: "the audit log is washed out or deleted unnoticed",
    here: ["audit"],
    elsewhere: ["apps/server/src/audit/record-limits.test.ts", "apps/server/src/audit/anchors.test.ts"],
  },
  12: {
    title: "failed sign-ins lock an account's owner out",
    here: ["accounts"],
    elsewhere: [
      "packages/access/src/identity.test.ts",
      "apps/server/src/identity/people/sign-in-tries.test.ts",
      "apps/server/src/http/transport.test.ts",
    ],
  },
  13: {
    title: "a chart repository or another address from settings scans the platform's ports",
    elsewhere: [
      "packages/std/src/outgoing/outgoing-rules.test.ts",
      "packages/std/src/outgoing/outgoing-fetch.test.ts",
      "packages/helm/src/fetch/port-scan.test.ts",
      "packages/kube/src/client/cluster-networks.test.ts",
    ],
  },
  14: {
    title: "a removed CRD of another project stops admission, or objects are stored before it has started",
    elsewhere: [
      "apps/butler/src/optional-kinds.cluster.test.ts",
      "apps/butler/src/admission/guard.cluster.test.ts",
      "apps/butler/src/deploy/chart-webhooks.cluster.test.ts",
      "packages/kube/src/cache/kind-removal.cluster.test.ts",
      "packages/kube/src/cache/serving.test.ts",
      "packages/controller/src/cache-reader.test.ts",
    ],
  },
  15: {
    title: "a frozen API server goes unnoticed, and requests hang",
    here: ["outage"],
    elsewhere: ["apps/server/src/state/api-health.test.ts"],
  },
  80: {
    title: "a dependency has a known vulnerability",
    elsewhere: ["tools/supply-chain/audit-report.test.ts"],
  },
  81: {
    title: "a dependency or add-on has a license that obliges users unnoticed",
    elsewhere: ["tools/supply-chain/licences.test.ts"],
  },
  82: {
    title: "the packages in a release are unknown",
    elsewhere: ["apps/butler/src/deploy/bom.test.ts", "apps/butler/src/deploy/bundle.test.ts"],
  },
};
