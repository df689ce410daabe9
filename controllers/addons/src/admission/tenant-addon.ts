import {
  addonFault,
  baselineAddons,
  isOfBaseline,
  judgeDependencies,
  repositoryFault,
  timeoutFault,
  variationFor,
  wantedRelease,
} from "@butler/addons";
import { type AddonDefinition, labels, TenantAddon } from "@butler/api";
import { denied, deniedFor } from "@butler/controller";
import { admissionHandler, type AdmissionRequest, type Denial } from "@butler/kube";
import { deepEqual } from "@butler/std";
import { rollbackDenials } from "./addon-rollback.ts";
import { type AddonReader, readAddonFacts, type TenantAddonFacts } from "./tenant-addon-facts.ts";

/** The input for validating an add-on. */
export interface TenantAddonInput {
  readonly addon: TenantAddon;
  readonly before: TenantAddon | undefined;
  readonly facts: TenantAddonFacts;
}

/**
 * Every reason to reject an add-on of a cluster: faults that are certain and that time does not fix. Entries missing in
 * the catalog may still be added, and a cluster may still be upgraded; the add-on's status reports those.
 */
export function decideTenantAddon(input: TenantAddonInput): Denial[] {
  const { addon, before } = input;
  if (before !== undefined && deepEqual(before.spec, addon.spec)) return [];
  return [
    ...identityDenials(input),
    ...permissionDenials(input),
    ...repositoryDenials(input),
    ...providerDenials(input),
    ...relationDenials(input),
    ...valuesDenials(input),
    ...versionDenials(input),
    ...timeoutDenials(input),
    ...rollbackDenials(addon, before),
  ];
}

/** An add-on cannot move to another cluster, and a baseline add-on cannot become another add-on. */
function identityDenials({ addon, before }: TenantAddonInput): Denial[] {
  if (before === undefined) return [];
  const [was, is] = [before.spec.clusterRef.name, addon.spec.clusterRef.name];
  if (was !== is) {
    const message = `is ${was} and cannot be changed; create a TenantAddon for cluster ${is} instead`;
    return denied("IMMUTABLE", "spec.clusterRef.name", message);
  }
  if (!isBaseline(before) || kindOf(before) === kindOf(addon)) return [];
  const message = `is ${kindOf(before)} and cannot be changed: it is part of the baseline of cluster ${is}`;
  return denied("IMMUTABLE", "spec.addon", message);
}

function kindOf({ spec }: TenantAddon): string {
  return spec.helm === undefined ? (spec.addon ?? "") : "a custom chart";
}

function isBaseline({ metadata }: TenantAddon): boolean {
  return metadata.labels?.[labels.baseline] === "true";
}

/**
 * The team's restrictions apply to TenantAddons as to the cluster's spec; a custom chart is matched by its own name.
 */
function permissionDenials({ addon, before, facts }: TenantAddonInput): Denial[] {
  const name = nameOf(addon);
  if (before !== undefined && nameOf(before) === name) return [];
  const path = addon.spec.helm === undefined ? "spec.addon" : "spec.helm.chart";
  const { cluster, providerType } = facts;
  const isImplied = cluster !== undefined && isOfBaseline(addon, { cluster, providerType });
  return deniedFor("NOT_ALLOWED", path, addonFault(name, facts.team?.spec.resourceLimits ?? {}, { isImplied }));
}

function nameOf({ spec }: TenantAddon): string {
  return spec.helm?.chart ?? spec.addon ?? "";
}

function repositoryDenials({ addon, before }: TenantAddonInput): Denial[] {
  const { helm } = addon.spec;
  if (helm === undefined || helm.repository === before?.spec.helm?.repository) return [];
  return deniedFor("INVALID", "spec.helm.repository", repositoryFault(helm.repository));
}

/** Machines never move to another infrastructure, so an unsupported add-on stays unsupported. */
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
  // An add-on that is not stored yet comes after all stored ones.
  const { creationTimestamp, ...metadata } = addon.metadata;
  const judged =
    before === undefined ? { ...addon, metadata } : { ...addon, metadata: { ...metadata, creationTimestamp } };
  const { addons, definitions, providerType } = facts;
  const verdict = judgeDependencies(judged, { addons, definitions, providerType });
  if (verdict.state !== "impossible" || verdict.reason === "DependencyMissing") return [];
  if (verdict.reason === "DependencyCycle") return denied("INVALID", "spec.dependsOn", verdict.message);
  // For two stored add-ons, the controller decides.
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

/** A version set in the cluster's spec would be restored immediately, with an upgrade each way. */
function versionDenials({ addon, before, facts }: TenantAddonInput): Denial[] {
  const { cluster, providerType } = facts;
  if (cluster === undefined || !isBaseline(addon) || before === undefined || before.spec.version === addon.spec.version)
    return [];
  const baseline = baselineAddons({ cluster, providerType, config: undefined, definitions: [] });
  const member = baseline.find(({ name }) => addon.spec.helm === undefined && name === addon.spec.addon);
  if (member?.slotVersion === undefined || member.slotVersion === addon.spec.version) return [];
  const where = `spec.addons.${member.slot}.version of TenantCluster ${cluster.metadata.name}`;
  return denied("NOT_ALLOWED", "spec.version", `is set to ${member.slotVersion} by ${where}; change it there`);
}

/** A stored one that is longer is reduced by the controller. */
function timeoutDenials({ addon, before }: TenantAddonInput): Denial[] {
  const { timeout } = addon.spec;
  if (timeout === before?.spec.timeout) return [];
  return deniedFor("INVALID", "spec.timeout", timeoutFault(timeout));
}

/** Validates add-ons on create and update. */
export function tenantAddonAdmission(client: AddonReader) {
  return admissionHandler(TenantAddon, { validate: (request, signal) => judge(request, client, signal) });
}

async function judge(
  { operation, object: addon, oldObject: before, namespace = "" }: AdmissionRequest<TenantAddon>,
  client: AddonReader,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (operation === "DELETE" || addon === undefined) return [];
  if (before !== undefined && deepEqual(before.spec, addon.spec)) return [];
  return decideTenantAddon({ addon, before, facts: await readAddonFacts(client, { addon, namespace }, signal) });
}
