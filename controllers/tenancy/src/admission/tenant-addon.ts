import { baselineAddons, judgeDependencies, repositoryFault, variationFor, wantedRelease } from "@butler/addons";
import { type AddonDefinition, labels, TenantAddon } from "@butler/api";
import type { AdmissionHandler, AdmissionRequest, Denial } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { addonFault } from "./addon-restrictions.ts";
import { rollbackDenials } from "./addon-rollback.ts";
import { denied, deniedFor } from "./denials.ts";
import { type AddonReader, readAddonFacts, type TenantAddonFacts } from "./tenant-addon-facts.ts";

/** Everything that a judgement about an add-on is made from. */
export interface TenantAddonInput {
  readonly addon: TenantAddon;
  readonly before: TenantAddon | undefined;
  readonly facts: TenantAddonFacts;
}

/**
 * Every reason to refuse an add-on of a cluster: what can be told at once and does not come right by waiting. What the
 * catalogue lacks may still be added to it, and a cluster may still be upgraded; that is told in the add-on's status.
 */
export function decideTenantAddon(input: TenantAddonInput): Denial[] {
  const { addon, before } = input;
  if (isBeingDeleted(addon) || (before !== undefined && deepEqual(before.spec, addon.spec))) return [];
  return [
    ...identityDenials(input),
    ...permissionDenials(input),
    ...repositoryDenials(input),
    ...providerDenials(input),
    ...relationDenials(input),
    ...valuesDenials(input),
    ...versionDenials(input),
    ...rollbackDenials(addon, before),
  ];
}

/** What is in one cluster cannot go to another, and what a cluster is made with stays what it is. */
function identityDenials({ addon, before }: TenantAddonInput): Denial[] {
  if (before === undefined) return [];
  const [was, is] = [before.spec.clusterRef.name, addon.spec.clusterRef.name];
  if (was !== is) {
    const message = `is ${was} and cannot be changed: make a TenantAddon for ${is} instead`;
    return denied("IMMUTABLE", "spec.clusterRef.name", message);
  }
  if (!isBaseline(before) || kindOf(before) === kindOf(addon)) return [];
  const message = `is ${kindOf(before)} and cannot be changed: cluster ${is} is made with it`;
  return denied("IMMUTABLE", "spec.addon", message);
}

function kindOf({ spec }: TenantAddon): string {
  return spec.helm === undefined ? (spec.addon ?? "") : "a chart of its own";
}

function isBaseline({ metadata }: TenantAddon): boolean {
  return metadata.labels?.[labels.baseline] === "true";
}

/** What a team may not have in the cluster's own list it may not add to it either; a chart goes by its own name. */
function permissionDenials({ addon, before, facts }: TenantAddonInput): Denial[] {
  const name = nameOf(addon);
  if (before !== undefined && nameOf(before) === name) return [];
  const path = addon.spec.helm === undefined ? "spec.addon" : "spec.helm.chart";
  const isImplied = addon.spec.helm === undefined && isOfCluster(name, facts);
  return deniedFor("NOT_ALLOWED", path, addonFault(name, facts.team?.spec.resourceLimits ?? {}, { isImplied }));
}

function nameOf({ spec }: TenantAddon): string {
  return spec.helm?.chart ?? spec.addon ?? "";
}

/** Whether the cluster is made with an add-on, which has been judged with the cluster. */
function isOfCluster(name: string, { cluster, providerType }: TenantAddonFacts): boolean {
  if (cluster === undefined) return false;
  const baseline = baselineAddons({ cluster, providerType, config: undefined, definitions: [] });
  return baseline.some((each) => each.name === name && each.slot !== undefined);
}

function repositoryDenials({ addon, before }: TenantAddonInput): Denial[] {
  const { helm } = addon.spec;
  if (helm === undefined || helm.repository === before?.spec.helm?.repository) return [];
  return deniedFor("INVALID", "spec.helm.repository", repositoryFault(helm.repository));
}

/** Machines never move to another infrastructure, so that what cannot be used on one never can. */
function providerDenials({ addon, before, facts }: TenantAddonInput): Denial[] {
  if (before !== undefined) return [];
  const definition = definitionOf(addon, facts);
  const reason = definition && variationFor(definition, facts.providerType)?.unsupported;
  if (reason === undefined) return [];
  return denied("UNSUPPORTED", "spec.addon", `${nameOf(addon)} cannot be used on ${facts.providerType}: ${reason}`);
}

function definitionOf({ spec }: TenantAddon, { definitions }: TenantAddonFacts): AddonDefinition | undefined {
  return spec.helm === undefined ? definitions.find(({ metadata }) => metadata.name === spec.addon) : undefined;
}

function relationDenials({ addon, before, facts }: TenantAddonInput): Denial[] {
  if (before !== undefined && deepEqual(before.spec.dependsOn, addon.spec.dependsOn)) return [];
  // One that is not stored yet comes after all that are.
  const { creationTimestamp, ...metadata } = addon.metadata;
  const judged =
    before === undefined ? { ...addon, metadata } : { ...addon, metadata: { ...metadata, creationTimestamp } };
  const { addons, definitions, providerType } = facts;
  const verdict = judgeDependencies(judged, { addons, definitions, providerType });
  if (verdict.state !== "impossible" || verdict.reason === "DependencyMissing") return [];
  if (verdict.reason === "DependencyCycle") return denied("INVALID", "spec.dependsOn", verdict.message);
  // Two that are stored settle it between them.
  return before === undefined ? denied("NOT_ALLOWED", "spec", `${nameOf(addon)} ${verdict.message}`) : [];
}

function valuesDenials({ addon, before, facts }: TenantAddonInput): Denial[] {
  const { cluster, team, providerType } = facts;
  const { values } = addon.spec;
  if (cluster === undefined || values === undefined || deepEqual(before?.spec.values, values)) return [];
  const result = wantedRelease({ addon, definition: definitionOf(addon, facts), cluster, team, providerType });
  const isWrong = "fault" in result && result.fault.reason === "InvalidValues";
  return isWrong ? denied("INVALID", "spec.values", result.fault.message) : [];
}

/** A version that the cluster's spec states would be put back at once, with an upgrade each way. */
function versionDenials({ addon, before, facts }: TenantAddonInput): Denial[] {
  const { cluster, providerType } = facts;
  if (cluster === undefined || !isBaseline(addon) || before === undefined || before.spec.version === addon.spec.version)
    return [];
  const baseline = baselineAddons({ cluster, providerType, config: undefined, definitions: [] });
  const member = baseline.find(({ name }) => addon.spec.helm === undefined && name === addon.spec.addon);
  if (member?.slotVersion === undefined || member.slotVersion === addon.spec.version) return [];
  const where = `spec.addons.${member.slot}.version of TenantCluster ${cluster.metadata.name}`;
  return denied("NOT_ALLOWED", "spec.version", `is ${member.slotVersion} by ${where}; change it there`);
}

/** Judges add-ons when they are made or changed. */
export function tenantAddonAdmission(client: AddonReader): AdmissionHandler<typeof TenantAddon> {
  return {
    path: "/validate-butler-butlerlabs-dev-v1alpha1-tenantaddon",
    kind: TenantAddon,
    validate: (request, signal) => judge(request, client, signal),
  };
}

async function judge(
  { operation, object: addon, oldObject: before, namespace = "" }: AdmissionRequest<TenantAddon>,
  client: AddonReader,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (operation === "DELETE" || addon === undefined || isBeingDeleted(addon)) return [];
  if (before !== undefined && deepEqual(before.spec, addon.spec)) return [];
  return decideTenantAddon({ addon, before, facts: await readAddonFacts(client, { addon, namespace }, signal) });
}
