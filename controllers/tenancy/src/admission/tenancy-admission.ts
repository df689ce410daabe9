import type { PolicyRule } from "@butler/access";
import {
  AddonDefinition,
  ButlerConfig,
  ClusterCreationPolicy,
  IdentityProvider,
  ImageSync,
  IPAllocation,
  ManagementAddon,
  namespaces,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  User,
  Workspace,
  WorkspaceTemplate,
} from "@butler/api";
import type { AdmissionHandler, KubeClient } from "@butler/kube";
import { type Clock, systemClock } from "@butler/std";
import { addonDefinitionAdmission } from "./addon-definition.ts";
import { clusterCreationPolicyAdmission } from "./cluster-creation-policy.ts";
import { QuotaLedger } from "./ledger/quota-ledger.ts";
import { managementAddonAdmission } from "./management-addon.ts";
import { networkPoolAdmission } from "./network-pool.ts";
import { judgingPeople } from "./person-rules.ts";
import { providerConfigAdmission } from "./provider-config.ts";
import { teamAdmission } from "./team.ts";
import { tenantAddonAdmission } from "./tenant-addon.ts";
import { tenantClusterAdmission } from "./tenant-cluster/handlers.ts";
import type { SupportedSystems } from "./tenant-cluster/input.ts";
import { userAdmission } from "./user.ts";

/** What judging needs. */
export interface TenancyAdmissionOptions {
  /** Asked directly: a cache would let two requests at once take the last place. */
  readonly client: Pick<KubeClient, "find" | "list" | "create" | "replace">;
  readonly supportedSystems: SupportedSystems;
  /** Usernames of Butler's own programs, which act for people they have judged; none when absent. */
  readonly trustedUsernames?: readonly string[];
  /** Where what is promised is written down; butler-system when absent. */
  readonly namespace?: string;
  readonly clock?: Clock;
}

/**
 * Everything that judges tenancy. The handler with `mutate` belongs into a MutatingWebhookConfiguration, all others into a
 * validating one for CREATE, UPDATE and DELETE, with sideEffects NoneOnDryRun: room is set aside for what is let in.
 */
export function tenancyAdmission(options: TenancyAdmissionOptions): readonly AdmissionHandler[] {
  const { client, supportedSystems, namespace = namespaces.system, clock = systemClock } = options;
  const trustedUsernames = new Set(options.trustedUsernames);
  const ledger = new QuotaLedger({ client, clock, namespace });
  const handlers = [
    ...tenantClusterAdmission({ client, ledger, supportedSystems, trustedUsernames }),
    teamAdmission({ client, trustedUsernames }),
    userAdmission({ client, trustedUsernames }),
    networkPoolAdmission(client),
    providerConfigAdmission(client),
    clusterCreationPolicyAdmission(client),
    tenantAddonAdmission(client),
    addonDefinitionAdmission(client),
    managementAddonAdmission(client),
    ...writtenByPeople.map(admittingAnything),
  ] as readonly AdmissionHandler[];
  return handlers.map((handler) => judgingPeople(handler, { client, trustedUsernames }));
}

/** Kinds of which only who writes them is judged here; what is in them, their schemas and controllers judge. */
const writtenByPeople = [ButlerConfig, IdentityProvider, ImageSync, Workspace, WorkspaceTemplate];

function admittingAnything(kind: (typeof writtenByPeople)[number]): Pick<AdmissionHandler, "path" | "validate"> & {
  readonly kind: typeof kind;
} {
  const path = `/validate-butler-butlerlabs-dev-${kind.version}-${kind.kind.toLowerCase()}`;
  return { path, kind, validate: () => [] };
}

const readKinds = [
  AddonDefinition,
  ButlerConfig,
  ClusterCreationPolicy,
  IPAllocation,
  ManagementAddon,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  User,
];

/** What the handlers may do. */
export const tenancyAdmissionPermissions: readonly PolicyRule[] = [
  {
    apiGroups: [TenantCluster.group],
    resources: readKinds.map(({ plural }) => plural),
    verbs: ["get", "list"],
  },
  { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
  // Ledgers.
  { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create", "update"] },
];
