import type { AddonDefinition, ProviderType, TenantAddon } from "@butler/api";
import { isConditionTrue } from "@butler/resource";
import { findConflict } from "./conflicts.ts";
import { variationFor } from "./wanted-release.ts";

/** Whether an add-on may proceed, depending on the others. */
export type DependencyVerdict =
  | { readonly state: "met" }
  | {
      readonly state: "waiting";
      /** Missing dependencies: names of TenantAddons, or of AddonDefinitions that no TenantAddon provides yet. */
      readonly on: readonly string[];
      readonly message: string;
    }
  | {
      readonly state: "impossible";
      readonly reason: "DependencyCycle" | "DependencyMissing" | "Conflict";
      readonly message: string;
    };

/** Input of a verdict. */
export interface Surroundings {
  /** All add-ons of the same cluster; whether the judged one is among them makes no difference. */
  readonly addons: readonly TenantAddon[];
  readonly definitions: readonly AddonDefinition[];
  /** Add-ons that the infrastructure makes unnecessary are not waited for; when undefined, all are. */
  readonly providerType?: ProviderType | undefined;
}

/** A dependency, satisfied by any of these TenantAddons. */
interface Need {
  /** Its name when no add-on provides it. */
  readonly name: string;
  readonly isDefinition: boolean;
  readonly bringers: readonly TenantAddon[];
}

/**
 * Whether an add-on can go ahead. `spec.dependsOn` names TenantAddons; the definition's dependsOn names AddonDefinitions,
 * each brought by any TenantAddon of the cluster. A definition that says it cannot be used on the cluster's
 * infrastructure is not waited for: there, the infrastructure does that work itself. A dependency that is not installed
 * yet is a reason to wait, not to fail: it may still be installed.
 */
export function judgeDependencies(addon: TenantAddon, surroundings: Surroundings): DependencyVerdict {
  const others = surroundings.addons.filter(({ metadata }) => metadata.name !== addon.metadata.name);
  const conflict = findConflict(addon, { addons: others, definitions: surroundings.definitions });
  if (conflict?.isLeaving === false) return { state: "impossible", reason: "Conflict", message: conflict.message };
  const all = { ...surroundings, addons: [addon, ...others] };
  const needs = needsOf(addon, all);
  const unknown = needs.find((need) => need.isDefinition && need.bringers.length === 0 && !isKnown(need.name, all));
  if (unknown !== undefined) {
    const message = `depends on add-on ${unknown.name}, which is not in the catalog; add it with \`butleradm addon catalog add\``;
    return { state: "impossible", reason: "DependencyMissing", message };
  }
  const cycle = findCycle(addon, all);
  if (cycle !== undefined)
    return { state: "impossible", reason: "DependencyCycle", message: cycleMessage(addon, cycle) };
  const unmet = needs.filter((need) => !need.bringers.some((bringer) => isEnough(bringer, addon)));
  const waits = unmet.map((need) => ({ on: need.bringers[0]?.metadata.name ?? need.name, message: waitMessage(need) }));
  if (conflict !== undefined) waits.push({ on: conflict.with, message: conflict.message });
  if (waits.length === 0) return { state: "met" };
  return {
    state: "waiting",
    on: waits.map(({ on }) => on),
    message: `waiting for ${waits.map(({ message }) => message).join("; ")}`,
  };
}

const isKnown = (name: string, { definitions }: Surroundings): boolean =>
  definitions.some(({ metadata }) => metadata.name === name);

/** The dependencies of an add-on, from its spec and from its definition, each once. */
function needsOf(addon: TenantAddon, { addons, definitions, providerType }: Surroundings): readonly Need[] {
  const definition = definitions.find(({ metadata }) => metadata.name === addon.spec.addon);
  const named = (addon.spec.dependsOn ?? []).map(({ name }) => ({
    name,
    isDefinition: false,
    bringers: addons.filter(({ metadata }) => metadata.name === name),
  }));
  const defined = (addon.spec.helm === undefined ? (definition?.spec.dependsOn ?? []) : []).flatMap((name) => {
    const bringers = addons.filter(({ spec }) => spec.helm === undefined && spec.addon === name);
    const needed = definitions.find(({ metadata }) => metadata.name === name);
    const isNeedless = needed !== undefined && variationFor(needed, providerType)?.unsupported !== undefined;
    return isNeedless && bringers.length === 0 ? [] : [{ name, isDefinition: true, bringers }];
  });
  return [...named, ...defined];
}

/** Whether a dependency is satisfied. An installed add-on is not blocked while a dependency is temporarily unhealthy. */
function isEnough(bringer: TenantAddon, dependent: TenantAddon): boolean {
  const { metadata, status } = bringer;
  if (metadata.deletionTimestamp !== undefined) return false;
  if (isReady(bringer)) return true;
  const isChanging = status?.phase === "Upgrading" || status?.phase === "RollingBack";
  return dependent.status?.installedVersion !== undefined && status?.installedVersion !== undefined && !isChanging;
}

function isReady({ status }: TenantAddon): boolean {
  return status?.phase === "Installed" && isConditionTrue(status.conditions, "Ready");
}

function waitMessage({ name, isDefinition, bringers: [bringer] }: Need): string {
  if (bringer === undefined) {
    return isDefinition
      ? `add-on ${name}, which is not installed; enable it with \`butlerctl addon enable\``
      : `TenantAddon ${name}, which does not exist`;
  }
  if (bringer.metadata.deletionTimestamp !== undefined) return `${bringer.metadata.name}, which is being removed`;
  return `${bringer.metadata.name}, which is ${bringer.status?.phase ?? "Pending"}`;
}

/**
 * The names on a cycle that keeps an add-on from ever being ready, in order and from the smallest; undefined when it can
 * become ready. Works out what can become ready one after the other; what is left waits for itself.
 */
function findCycle(addon: TenantAddon, surroundings: Surroundings): readonly string[] | undefined {
  const needs = new Map(surroundings.addons.map((each) => [each.metadata.name, needsOf(each, surroundings)]));
  const possible = new Set(surroundings.addons.filter(isReady).map(({ metadata }) => metadata.name));
  const isOpen = ({ bringers }: Need): boolean =>
    bringers.length > 0 && !bringers.some(({ metadata }) => possible.has(metadata.name));
  for (let before = -1; before !== possible.size;) {
    before = possible.size;
    for (const [name, own] of needs) if (!own.some(isOpen)) possible.add(name);
  }
  if (possible.has(addon.metadata.name)) return undefined;
  const path = [addon.metadata.name];
  for (;;) {
    const open = needs.get(path.at(-1) ?? "")?.find(isOpen);
    const next = open?.bringers[0]?.metadata.name;
    if (next === undefined) return undefined;
    const seen = path.indexOf(next);
    if (seen >= 0) return fromSmallest(path.slice(seen));
    path.push(next);
  }
}

/** Reports a cycle the same way for each of its members. */
function fromSmallest(cycle: readonly string[]): readonly string[] {
  const start = cycle.indexOf(cycle.toSorted()[0] ?? "");
  return [...cycle.slice(start), ...cycle.slice(0, start)];
}

function cycleMessage(addon: TenantAddon, cycle: readonly string[]): string {
  const circle = [...cycle, cycle[0]].join(" → ");
  return cycle.includes(addon.metadata.name)
    ? `is part of a dependency cycle: ${circle}`
    : `depends on an add-on in a dependency cycle: ${circle}`;
}
