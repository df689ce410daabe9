import type { PolicyRule } from "@butler/access";
import {
  AddonDefinition,
  ButlerConfig,
  ClusterCreationPolicy,
  DataStore,
  IdentityProvider,
  ImageSync,
  namespaces,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  User,
  Workspace,
  WorkspaceTemplate,
} from "@butler/api";
import { admissionHandler, type AdmissionHandler, type KubeClient } from "@butler/kube";
import type { SupportedSystems } from "@butler/provider";
import { type Clock, systemClock } from "@butler/std";
import { clusterCreationPolicyAdmission } from "./cluster-creation-policy.ts";
import { QuotaLedger } from "./ledger/quota-ledger.ts";
import { judgingPeople } from "./person-rules.ts";
import { providerConfigAdmission } from "./provider-config.ts";
import { teamAdmission } from "./team.ts";
import { tenantClusterAdmission } from "./tenant-cluster/handlers.ts";
import { userAdmission } from "./user.ts";

/** Options of tenancy admission. */
export interface TenancyAdmissionOptions {
  /** Reads without a cache: with one, two concurrent requests could both take the last place. */
  readonly client: Pick<KubeClient, "find" | "list" | "create" | "replace">;
  readonly supportedSystems: SupportedSystems;
  /** The handlers of other controllers. They, too, see only requests of users who are allowed to sign in. */
  readonly others?: readonly AdmissionHandler[];
  /** Usernames of Butler's own components, which act for users they have authorized. Defaults to none. */
  readonly trustedUsernames?: readonly string[];
  /** Namespace of the quota ledgers. Defaults to butler-system. */
  readonly namespace?: string;
  readonly clock?: Clock;
}

/**
 * All admission handlers of a process: those of tenancy's own kinds, and those it is given. The handler with `mutate` belongs in a MutatingWebhookConfiguration, all others in
 * a validating one for CREATE, UPDATE and DELETE, with sideEffects NoneOnDryRun: quota is reserved for admitted
 * requests.
 */
export function tenancyAdmission(options: TenancyAdmissionOptions): readonly AdmissionHandler[] {
  const { client, supportedSystems, namespace = namespaces.system, clock = systemClock, others = [] } = options;
  const trustedUsernames = new Set(options.trustedUsernames);
  const ledger = new QuotaLedger({ client, clock, namespace });
  const handlers = [
    ...tenantClusterAdmission({ client, ledger, supportedSystems, trustedUsernames }),
    teamAdmission({ client, trustedUsernames }),
    userAdmission({ client, trustedUsernames }),
    providerConfigAdmission(client),
    clusterCreationPolicyAdmission(client),
    ...writtenByPeople.map((kind) => admissionHandler(kind, { validate: () => [] })),
    ...others,
  ] as readonly AdmissionHandler[];
  return handlers.map((handler) => judgingPeople(handler, { client, trustedUsernames }));
}

/** Kinds of which only the requester is validated here; schemas and controllers validate their content. */
const writtenByPeople = [ButlerConfig, IdentityProvider, ImageSync, Workspace, WorkspaceTemplate];

const readKinds = [
  AddonDefinition,
  ButlerConfig,
  ClusterCreationPolicy,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  User,
];

/** Permissions of the handlers of tenancy's own kinds. */
export const tenancyAdmissionPermissions: readonly PolicyRule[] = [
  {
    apiGroups: [TenantCluster.group],
    resources: readKinds.map(({ plural }) => plural),
    verbs: ["get", "list"],
  },
  { apiGroups: [DataStore.group], resources: [DataStore.plural], verbs: ["get"] },
  { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
  // Ledgers.
  { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create", "update"] },
];
