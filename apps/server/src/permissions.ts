import { platformGroup, type PolicyRule, usersGroup } from "@butler/access";
import { AddonDefinition, allResources, AuditSegment, ButlerConfig, User } from "@butler/api";
import { clusterNetworkRules } from "@butler/kube";
import { type Kind, rbacGroup } from "@butler/resource";
import { cachedKinds } from "./state/kinds.ts";

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

/** Cluster-wide rules to reconcile the accounts of command lines. The server can bind these roles, and no others. */
export const cliClusterRules: readonly PolicyRule[] = [
  // In the namespaces of command lines, and those that earlier versions created elsewhere.
  { apiGroups: [""], resources: ["serviceaccounts"], verbs: follow },
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
 * The server's own cluster-wide permissions: it reads what it shows, manages accounts, and writes the audit log. For
 * everything else it impersonates the calling user, which it may do only for users named in `butler-server-people`, and
 * besides the groups of teams only for these four groups.
 */
export const serverClusterRules: readonly PolicyRule[] = [
  ...rulesFor(Object.values(cachedKinds), follow),
  { apiGroups: [""], resources: ["events"], verbs: follow },
  ...rulesFor([User], ["create", "patch", "delete"]),
  { apiGroups: [User.group], resources: [`${User.plural}/status`], verbs: ["patch"] },
  ...rulesFor([AuditSegment], ["create", "update", "delete"]),
  ...cliClusterRules,
  // Webhooks and identity providers must not be pods or Services.
  ...clusterNetworkRules,
  {
    apiGroups: [""],
    resources: ["groups"],
    verbs: ["impersonate"],
    resourceNames: ["system:authenticated", usersGroup, platformGroup("admin"), platformGroup("viewer")],
  },
];

/**
 * Rules in the namespaces of command lines, which contain no other accounts: permission to request tokens in a namespace
 * is permission to act as every account in it.
 */
export const cliAccountRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["create", "delete"] },
  { apiGroups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
];

/**
 * Rules in Butler's own namespace: the records of the server, of which a policy limits the names, used tickets and
 * leadership, and the position of an export.
 */
export const serverSystemRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: [...follow, "create", "update", "patch", "delete"] },
  // Accounts that earlier versions created here are removed.
  { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["delete"] },
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", "list", "create", "update", "delete"],
  },
  { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create", "patch"] },
];

/** Rules in the namespace of terminals. */
export const terminalRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["pods", "secrets"], verbs: ["get", "create", "delete"] },
  { apiGroups: [""], resources: ["pods/exec"], verbs: ["get", "create"] },
  { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: ["create", "delete"] },
];

/** Only the server writes the audit log: platform administrators can read it, not change it. */
const ofPeople = allResources.filter((kind) => kind.plural !== AuditSegment.plural);
const clusterApi: readonly PolicyRule[] = [
  {
    apiGroups: ["cluster.x-k8s.io"],
    resources: ["clusters", "machinedeployments", "machinehealthchecks", "machines", "machinesets"],
    verbs: follow,
  },
];

/** Rules of platform viewers with Kubernetes' own tools: all of Butler's objects, but no Secrets. */
export const platformViewerRules: readonly PolicyRule[] = [
  ...rulesFor(allResources, follow),
  ...clusterApi,
  { apiGroups: [""], resources: ["events", "namespaces"], verbs: follow },
];

/**
 * Rules of platform administrators in the whole cluster. Secrets are not among them: the server may act for platform
 * administrators, so a compromised server could read every Secret of the cluster.
 */
export const platformAdminRules: readonly PolicyRule[] = [
  ...platformViewerRules,
  ...rulesFor(ofPeople, write),
  { apiGroups: [ButlerConfig.group], resources: [ButlerConfig.plural], verbs: ["administer"] },
];

/** What all accounts may read besides their teams' objects: the catalog. */
export const userRules: readonly PolicyRule[] = rulesFor([AddonDefinition], follow);
