import { wantedManagementRelease } from "@butler/addons";
import { AddonDefinition, ManagementAddon } from "@butler/api";
import { denied, listServed } from "@butler/controller";
import { admissionHandler, type AdmissionRequest, type Denial, type KubeClient } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { rollbackDenials } from "./addon-rollback.ts";

/** The input for validating an add-on of the management cluster. */
export interface ManagementAddonInput {
  readonly addon: ManagementAddon;
  readonly before: ManagementAddon | undefined;
  /** Every add-on of the management cluster that is stored. */
  readonly addons: readonly ManagementAddon[];
  readonly definitions: readonly AddonDefinition[];
}

/** Every reason to reject an add-on of the management cluster or a change to it. */
export function decideManagementAddon(input: ManagementAddonInput): Denial[] {
  const { addon, before } = input;
  if (before !== undefined && deepEqual(before.spec, addon.spec)) return [];
  return [
    ...identityDenials(input),
    ...conflictDenials(input),
    ...valuesDenials(input),
    ...rollbackDenials(addon, before),
  ];
}

function identityDenials({ addon, before, addons }: ManagementAddonInput): Denial[] {
  const name = addon.spec.addon;
  if (before !== undefined) {
    const was = before.spec.addon;
    const message = `is ${was} and cannot be changed; create another ManagementAddon instead`;
    return was === name ? [] : denied("IMMUTABLE", "spec.addon", message);
  }
  const same = addons.find((each) => each.metadata.name !== addon.metadata.name && each.spec.addon === name);
  if (same === undefined || isBeingDeleted(same)) return [];
  return denied("DUPLICATE", "spec.addon", `${name} is already installed by ManagementAddon ${same.metadata.name}`);
}

function conflictDenials({ addon, before, addons, definitions }: ManagementAddonInput): Denial[] {
  if (before !== undefined) return [];
  const conflictsOf = (name: string): readonly string[] =>
    definitions.find(({ metadata }) => metadata.name === name)?.spec.conflictsWith ?? [];
  const own = addon.spec.addon;
  return addons
    .filter((each) => !isBeingDeleted(each) && each.metadata.name !== addon.metadata.name)
    .map(({ spec }) => spec.addon)
    .filter((other) => conflictsOf(own).includes(other) || conflictsOf(other).includes(own))
    .flatMap((other) =>
      denied("NOT_ALLOWED", "spec.addon", `${own} conflicts with add-on ${other} on the management cluster`),
    );
}

function valuesDenials({ addon, before, definitions }: ManagementAddonInput): Denial[] {
  const { values } = addon.spec;
  if (values === undefined || deepEqual(before?.spec.values, values)) return [];
  const definition = definitions.find(({ metadata }) => metadata.name === addon.spec.addon);
  const result = wantedManagementRelease({ addon, definition });
  const isWrong = "fault" in result && result.fault.reason === "InvalidValues";
  return isWrong ? denied("INVALID", "spec.values", result.fault.message) : [];
}

/** Every reason to reject the deletion of an add-on: the platform relies on some. */
export function decideManagementAddonDeletion(
  { spec }: ManagementAddon,
  definition: AddonDefinition | undefined,
): Denial[] {
  if (definition?.spec.platform !== true) return [];
  const message = `the platform relies on ${spec.addon}; set platform to false in AddonDefinition ${spec.addon} to remove it anyway`;
  return denied("DELETION_PROTECTED", "spec.addon", message);
}

/** Validates add-ons of the management cluster on create, update and delete. */
export function managementAddonAdmission(client: Pick<KubeClient, "find" | "list">) {
  return admissionHandler(ManagementAddon, { validate: (request, signal) => judge(request, client, signal) });
}

async function judge(
  { operation, object: addon, oldObject: before }: AdmissionRequest<ManagementAddon>,
  client: Pick<KubeClient, "find" | "list">,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (operation === "DELETE") {
    if (before === undefined) return [];
    const definition = await client.find(AddonDefinition, { name: before.spec.addon }, signal);
    return decideManagementAddonDeletion(before, definition);
  }
  if (addon === undefined || (before !== undefined && deepEqual(before.spec, addon.spec))) return [];
  const [addons, definitions] = await Promise.all([
    listServed(client, ManagementAddon, { signal }),
    listServed(client, AddonDefinition, { signal }),
  ]);
  return decideManagementAddon({ addon, before, addons, definitions });
}
