import { definitionFaults, timeoutFault } from "@butler/addons";
import { AddonDefinition, ManagementAddon, TenantAddon } from "@butler/api";
import { denied, deniedFor, listServed } from "@butler/controller";
import { admissionHandler, type AdmissionRequest, type Denial, type KubeClient } from "@butler/kube";
import { keyOf, keyText } from "@butler/resource";
import { deepEqual } from "@butler/std";

/** The input for validating an entry of the catalog. */
export interface AddonDefinitionInput {
  readonly definition: AddonDefinition;
  readonly before: AddonDefinition | undefined;
  /** The catalog, with or without the entry itself. */
  readonly catalog: readonly AddonDefinition[];
}

/** Every reason to reject an entry or a change to it. */
export function decideAddonDefinition({ definition, before, catalog }: AddonDefinitionInput): Denial[] {
  if (before !== undefined && deepEqual(before.spec, definition.spec)) return [];
  const others = catalog.filter(({ metadata }) => metadata.name !== definition.metadata.name);
  const faults = definitionFaults(definition, others).flatMap(({ path, message }) => denied("INVALID", path, message));
  return [...faults, ...timeoutDenials(definition, before)];
}

/** A stored one that is longer is reduced by the controllers. */
function timeoutDenials({ spec }: AddonDefinition, before: AddonDefinition | undefined): Denial[] {
  const timeout = spec.defaults?.timeout;
  if (timeout === before?.spec.defaults?.timeout) return [];
  return deniedFor("INVALID", "spec.defaults.timeout", timeoutFault(timeout));
}

/** The add-ons that use an entry. */
export interface DefinitionUsers {
  readonly tenantAddons: readonly TenantAddon[];
  readonly managementAddons: readonly ManagementAddon[];
}

const shownUsers = 5;

/** Every reason to reject the deletion of an entry: add-ons installed from it could no longer be changed. */
export function decideAddonDefinitionDeletion(
  { metadata }: AddonDefinition,
  { tenantAddons, managementAddons }: DefinitionUsers,
): Denial[] {
  const users = [
    ...tenantAddons
      .filter(({ spec }) => spec.helm === undefined && spec.addon === metadata.name)
      .map((addon) => `TenantAddon ${keyText(keyOf(addon))}`),
    ...managementAddons
      .filter(({ spec }) => spec.addon === metadata.name)
      .map((addon) => `ManagementAddon ${addon.metadata.name}`),
  ].toSorted();
  if (users.length === 0) return [];
  const more = users.length > shownUsers ? ` and ${users.length - shownUsers} more` : "";
  return denied("IN_USE", "", `is used by ${users.slice(0, shownUsers).join(", ")}${more}; remove them first`);
}

/** Validates entries of the catalog on create, update and delete. */
export function addonDefinitionAdmission(client: Pick<KubeClient, "list">) {
  return admissionHandler(AddonDefinition, { validate: (request, signal) => judge(request, client, signal) });
}

async function judge(
  { operation, object: definition, oldObject: before }: AdmissionRequest<AddonDefinition>,
  client: Pick<KubeClient, "list">,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (operation === "DELETE") {
    if (before === undefined) return [];
    const [tenantAddons, managementAddons] = await Promise.all([
      listServed(client, TenantAddon, { signal }),
      listServed(client, ManagementAddon, { signal }),
    ]);
    return decideAddonDefinitionDeletion(before, { tenantAddons, managementAddons });
  }
  if (definition === undefined || (before !== undefined && deepEqual(before.spec, definition.spec))) return [];
  const catalog = await listServed(client, AddonDefinition, { signal });
  return decideAddonDefinition({ definition, before, catalog });
}
