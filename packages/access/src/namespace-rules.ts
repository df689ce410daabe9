import { kubeconfigAccess, type TeamRole } from "@butler/api";
import { includesRole } from "./team-role.ts";

/** Allowed verbs on resources, as in a Role of Kubernetes. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const read = ["get", "list", "watch"] as const;
const write = ["create", "update", "patch", "delete"] as const;

const butler = "butler.butlerlabs.dev";
const events: PolicyRule = { apiGroups: ["", "events.k8s.io"], resources: ["events"], verbs: read };

const forEveryone: readonly PolicyRule[] = [
  {
    apiGroups: [butler],
    resources: ["imagesyncs", "providerconfigs", "tenantaddons", "tenantclusters", "workspaces", "workspacetemplates"],
    verbs: read,
  },
  events,
];
const forOperators: readonly PolicyRule[] = [
  { apiGroups: [butler], resources: ["tenantaddons", "tenantclusters", "workspaces"], verbs: write },
];
const forAdmins: readonly PolicyRule[] = [
  { apiGroups: [butler], resources: ["providerconfigs", "workspacetemplates"], verbs: write },
  { apiGroups: [""], resources: ["secrets"], verbs: [...read, ...write] },
];

/**
 * The rules of a role in the namespace of its team. Viewers read what Butler manages; operators create, update and
 * delete clusters, add-ons and workspaces; admins also manage the team's providers and their credentials. Only admins
 * can access Secrets.
 */
export function teamNamespaceRules(role: TeamRole): PolicyRule[] {
  return [
    ...forEveryone,
    ...(includesRole(role, "operator") ? forOperators : []),
    ...(includesRole(role, "admin") ? forAdmins : []),
  ];
}

/** The name of the Role of platform administrators in Butler's namespace, and in those of teams and clusters. */
export const platformAdminRoleName = "butler-platform-admin";

/**
 * What platform administrators may do in Butler's namespace and in those of teams, besides their cluster-wide rules:
 * credentials of providers. They can get Secrets by name but not list them, as a list would reveal all of them at once.
 */
export const platformAdminNamespaceRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: ["get", ...write] },
];

/** What a Role in the namespace of one cluster depends on besides the role. */
export interface TenantNamespaceInput {
  /** The resources of the infrastructure, by their plural names. Their objects hold no credentials. */
  readonly infrastructure: readonly string[];
  /** The Secrets with the administrator's kubeconfig. Defaults to none. */
  readonly kubeconfigSecrets?: readonly string[];
}

/**
 * No object of these kinds contains credentials. Cluster API's bootstrap configurations are excluded, because they
 * contain join tokens.
 */
const ofOneCluster = (infrastructure: readonly string[]): readonly PolicyRule[] => [
  {
    apiGroups: ["cluster.x-k8s.io"],
    resources: ["clusters", "machinedeployments", "machinehealthchecks", "machines", "machinesets"],
    verbs: read,
  },
  { apiGroups: ["controlplane.cluster.x-k8s.io"], resources: ["stewardcontrolplanes"], verbs: read },
  { apiGroups: ["steward.butlerlabs.dev"], resources: ["tenantcontrolplanes"], verbs: read },
  {
    apiGroups: ["infrastructure.cluster.x-k8s.io"],
    resources: infrastructure,
    verbs: read,
  },
  events,
];

/**
 * The rules of a role in the namespace of one cluster: read the objects of the cluster. Admins also get the named Secrets
 * with its administrator's kubeconfig, by name only: a list would show the other Secrets.
 */
export function tenantNamespaceRules(
  role: TeamRole,
  { infrastructure, kubeconfigSecrets = [] }: TenantNamespaceInput,
): PolicyRule[] {
  const isTrusted = includesRole(role, kubeconfigAccess.role) && kubeconfigSecrets.length > 0;
  const kubeconfigs = { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: kubeconfigSecrets };
  return [...ofOneCluster(infrastructure), ...(isTrusted ? [kubeconfigs] : [])];
}
