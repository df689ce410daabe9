import { definitionFaults } from "@butler/addons";
import { AddonDefinition, ManagementAddon, TenantAddon } from "@butler/api";
import type { AdmissionHandler, AdmissionRequest, Denial, KubeClient } from "@butler/kube";
import { isBeingDeleted, keyOf, keyText } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { denied } from "./denials.ts";
import { listServed } from "./list-served.ts";

/** Everything that a judgement about an entry of the catalogue is made from. */
export interface AddonDefinitionInput {
  readonly definition: AddonDefinition;
  readonly before: AddonDefinition | undefined;
  /** The catalogue, with the entry itself or without it. */
  readonly catalog: readonly AddonDefinition[];
}

/** Every reason to refuse an entry or its change. */
export function decideAddonDefinition({ definition, before, catalog }: AddonDefinitionInput): Denial[] {
  if (isBeingDeleted(definition) || (before !== undefined && deepEqual(before.spec, definition.spec))) return [];
  const others = catalog.filter(({ metadata }) => metadata.name !== definition.metadata.name);
  return definitionFaults(definition, others).flatMap(({ path, message }) => denied("INVALID", path, message));
}

/** Who uses an entry. */
export interface DefinitionUsers {
  readonly tenantAddons: readonly TenantAddon[];
  readonly managementAddons: readonly ManagementAddon[];
}

const shownUsers = 5;

/** Every reason to refuse that an entry goes: what is installed by it could neither be changed nor explained any more. */
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

/** Judges entries of the catalogue when they are made, changed or deleted. */
export function addonDefinitionAdmission(client: Pick<KubeClient, "list">): AdmissionHandler<typeof AddonDefinition> {
  return {
    path: "/validate-butler-butlerlabs-dev-v1alpha1-addondefinition",
    kind: AddonDefinition,
    validate: (request, signal) => judge(request, client, signal),
  };
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
