import { platformGroup, type PolicyRule, usersGroup } from "@butler/access";
import {
  AddonDefinition,
  allResources,
  AuditSegment,
  ButlerConfig,
  ClusterCreationPolicy,
  DataStore,
  IdentityProvider,
  IPAllocation,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  TenantControlPlane,
  User,
} from "@butler/api";
import { type Kind, rbacGroup } from "@butler/resource";

const follow = ["get", "list", "watch"] as const;
const write = ["create", "update", "patch", "delete"] as const;

/** One rule for each group of kinds. */
function rulesFor(kinds: readonly Pick<Kind, "group" | "plural">[], verbs: readonly string[]): PolicyRule[] {
  const groups = Map.groupBy(kinds, ({ group }) => group);
  return [...groups].map(([group, own]) => ({
    apiGroups: [group],
    resources: own.map(({ plural }) => plural).sort(),
    verbs,
  }));
}

/** What the server keeps in memory. */
const followed = [
  AddonDefinition,
  AuditSegment,
  ButlerConfig,
  ClusterCreationPolicy,
  DataStore,
  IdentityProvider,
  IPAllocation,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  TenantControlPlane,
  User,
];

/** What the server needs everywhere to keep the accounts of command lines in step. It can hand out these roles, and no other. */
export const cliClusterRules: readonly PolicyRule[] = [
  {
    apiGroups: [rbacGroup],
    resources: ["rolebindings", "clusterrolebindings"],
    verbs: [...follow, "create", "delete"],
  },
  {
    apiGroups: [rbacGroup],
    resources: ["roles"],
    verbs: ["bind"],
    resourceNames: ["butler-team-viewer", "butler-team-operator", "butler-team-admin"],
  },
  {
    apiGroups: [rbacGroup],
    resources: ["clusterroles"],
    verbs: ["bind"],
    resourceNames: ["butler-platform-viewer", "butler-platform-admin"],
  },
];

/**
 * What the server does in its own name, in the whole cluster: it reads what it shows, looks after accounts, and writes the
 * audit log. Everything else it does as the person who asks, whom it may act as only when `butler-server-people` names
 * them; of groups that no team has, these four.
 */
export const serverClusterRules: readonly PolicyRule[] = [
  ...rulesFor(followed, follow),
  { apiGroups: [""], resources: ["events"], verbs: follow },
  ...rulesFor([User], ["create", "patch", "delete"]),
  { apiGroups: [User.group], resources: [`${User.plural}/status`], verbs: ["patch"] },
  ...rulesFor([AuditSegment], ["create", "update", "delete"]),
  ...cliClusterRules,
  {
    apiGroups: [""],
    resources: ["groups"],
    verbs: ["impersonate"],
    resourceNames: ["system:authenticated", usersGroup, platformGroup("admin"), platformGroup("viewer")],
  },
];

/** What it needs in Butler's own namespace: its records, and the accounts with their tokens. */
export const cliSystemRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: [...follow, "create", "update", "patch", "delete"] },
  { apiGroups: [""], resources: ["serviceaccounts"], verbs: [...follow, "create", "delete"] },
  { apiGroups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
];

/** What it needs there beside that: used tickets and turns are Leases, and how far an export has come is a ConfigMap. */
export const serverSystemRules: readonly PolicyRule[] = [
  ...cliSystemRules,
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", "list", "create", "update", "delete"],
  },
  { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create", "patch"] },
];

/** What it needs in the namespace of terminals. */
export const terminalRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["pods", "secrets"], verbs: ["get", "create", "delete"] },
  { apiGroups: [""], resources: ["pods/exec"], verbs: ["get", "create"] },
  { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: ["create", "delete"] },
];

/** The audit log is the server's: whoever administers the platform reads it and changes nothing. */
const ofPeople = allResources.filter((kind) => kind.plural !== AuditSegment.plural);
const clusterApi: readonly PolicyRule[] = [
  {
    apiGroups: ["cluster.x-k8s.io"],
    resources: ["clusters", "machinedeployments", "machinehealthchecks", "machines", "machinesets"],
    verbs: follow,
  },
];

/** What viewers of the platform see with Kubernetes' own tools: every object of Butler's, and no Secret. */
export const platformViewerRules: readonly PolicyRule[] = [
  ...rulesFor(allResources, follow),
  ...clusterApi,
  { apiGroups: [""], resources: ["events", "namespaces"], verbs: follow },
];

/**
 * What administrators of the platform may do. Secrets they get one by one: providers' credentials and kubeconfigs have
 * names that are known, and a list would show everything at once.
 */
export const platformAdminRules: readonly PolicyRule[] = [
  ...platformViewerRules,
  ...rulesFor(ofPeople, write),
  { apiGroups: [""], resources: ["secrets"], verbs: ["get", ...write] },
  { apiGroups: [ButlerConfig.group], resources: [ButlerConfig.plural], verbs: ["administer"] },
];

/** What everybody with an account may read beside what their teams have: the catalogue. */
export const userRules: readonly PolicyRule[] = rulesFor([AddonDefinition], follow);
