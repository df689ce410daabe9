import type { AddonDefinition, TenantAddon } from "@butler/api";
import { releasePlace } from "./release-names.ts";

/** Why two add-ons cannot be on one cluster. */
export interface FoundConflict {
  /** Name of the other TenantAddon. */
  readonly with: string;
  /** Whether the other one is being removed, so that waiting helps. */
  readonly isLeaving: boolean;
  /** What is wrong, or what to wait for when the other one is leaving. */
  readonly message: string;
}

interface Neighbours {
  /** The other add-ons of the cluster. */
  readonly addons: readonly TenantAddon[];
  readonly definitions: readonly AddonDefinition[];
}

/**
 * The add-on that conflicts with another: one that either definition excludes, or one with the same Helm release. Of two,
 * the installed one stays, otherwise the older one, so that never both are denied.
 */
export function findConflict(addon: TenantAddon, { addons, definitions }: Neighbours): FoundConflict | undefined {
  if (addon.status?.installedVersion !== undefined) return undefined;
  const definitionOf = ({ spec }: TenantAddon): AddonDefinition | undefined =>
    spec.helm === undefined ? definitions.find(({ metadata }) => metadata.name === spec.addon) : undefined;
  const rulesOut = (one: TenantAddon, other: TenantAddon): boolean => {
    const name = other.spec.helm === undefined ? other.spec.addon : undefined;
    return name !== undefined && (definitionOf(one)?.spec.conflictsWith?.includes(name) ?? false);
  };
  const placeOf = (each: TenantAddon): string => {
    const { namespace, release } = releasePlace(each, definitionOf(each));
    return `${namespace}/${release}`;
  };
  const found = addons
    .filter((other) => comesFirst(other, addon))
    .flatMap((other): readonly FoundConflict[] => {
      const name = other.metadata.name;
      const isLeaving = other.metadata.deletionTimestamp !== undefined;
      const isSame = placeOf(other) === placeOf(addon);
      if (!isSame && !rulesOut(addon, other) && !rulesOut(other, addon)) return [];
      if (isLeaving) return [{ with: name, isLeaving, message: `${name} to be removed` }];
      const message = isSame
        ? `uses the same Helm release ${placeOf(addon)} as ${name}; remove one of them`
        : `conflicts with ${name}; remove one of them`;
      return [{ with: name, isLeaving, message }];
    });
  return found.find(({ isLeaving }) => !isLeaving) ?? found[0];
}

function comesFirst(other: TenantAddon, addon: TenantAddon): boolean {
  if (other.status?.installedVersion !== undefined) return true;
  const [theirs, ours] = [other.metadata.creationTimestamp ?? "", addon.metadata.creationTimestamp ?? ""];
  // An object that is not stored yet, as in an admission request, comes after all stored ones.
  if (theirs !== ours) return ours === "" || (theirs !== "" && theirs < ours);
  return other.metadata.name < addon.metadata.name;
}
