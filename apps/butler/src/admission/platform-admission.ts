import { addonAdmission, addonAdmissionPermissions } from "@butler/addon-controllers";
import type { PolicyRule } from "@butler/controller";
import type { AdmissionHandler } from "@butler/kube";
import { networkAdmission, networkAdmissionPermissions } from "@butler/network";
import { supportedSystems } from "@butler/provider";
import { tenancyAdmission, type TenancyAdmissionOptions, tenancyAdmissionPermissions } from "@butler/tenancy";
import { machineProviders } from "../machine-providers.ts";

/** The admission handlers of the controller role; each is beside the controller of its kind. */
export function platformAdmission(
  options: Pick<TenancyAdmissionOptions, "client" | "trustedUsernames">,
): readonly AdmissionHandler[] {
  const { client } = options;
  return tenancyAdmission({
    ...options,
    supportedSystems: supportedSystems(machineProviders),
    others: [...networkAdmission(client), ...addonAdmission(client)],
  });
}

/** Permissions of the handlers. */
export const platformAdmissionPermissions: readonly PolicyRule[] = [
  ...tenancyAdmissionPermissions,
  ...networkAdmissionPermissions,
  ...addonAdmissionPermissions,
];
