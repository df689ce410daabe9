/** Validates add-ons and the catalog, with what is read from the API server itself, never from a cache. */
import {
  AddonDefinition,
  ButlerConfig,
  ManagementAddon,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import type { PolicyRule } from "@butler/controller";
import type { AdmissionHandler, KubeClient } from "@butler/kube";
import { addonDefinitionAdmission } from "./addon-definition.ts";
import { managementAddonAdmission } from "./management-addon.ts";
import { tenantAddonAdmission } from "./tenant-addon.ts";

/** The admission handlers of add-on kinds. */
export function addonAdmission(client: Pick<KubeClient, "find" | "list">): readonly AdmissionHandler[] {
  return [
    tenantAddonAdmission(client),
    addonDefinitionAdmission(client),
    managementAddonAdmission(client),
  ] as readonly AdmissionHandler[];
}

const readKinds = [AddonDefinition, ButlerConfig, ManagementAddon, ProviderConfig, Team, TenantAddon, TenantCluster];

/** Their permissions. */
export const addonAdmissionPermissions: readonly PolicyRule[] = [
  { apiGroups: [TenantAddon.group], resources: readKinds.map(({ plural }) => plural), verbs: ["get", "list"] },
];
