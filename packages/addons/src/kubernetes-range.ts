import type { AddonDefinition, TenantAddon } from "@butler/api";
import semver from "semver";

/**
 * Why a Kubernetes version is not among those that something works with, as a sentence; undefined when it is. A
 * pre-release or a build of a version counts as that version, because that is what its API is.
 */
export function kubernetesFault(versions: string | undefined, kubernetes: string): string | undefined {
  if (versions === undefined || versions.trim() === "") return undefined;
  const range = readRange(versions);
  if (range === undefined) return `invalid Kubernetes version range ${JSON.stringify(versions)}`;
  const version = plainVersion(kubernetes);
  if (version === undefined) return `${JSON.stringify(kubernetes)} is not a Kubernetes version`;
  return range.test(version) ? undefined : `supports Kubernetes ${versions.trim()}, not v${version.version}`;
}

/** A range as npm or Helm write it; undefined when it is none. Helm separates conditions with commas, npm with spaces. */
export function readRange(text: string): semver.Range | undefined {
  const npmStyle = text.replaceAll(",", " ");
  return semver.validRange(npmStyle) === null ? undefined : new semver.Range(npmStyle);
}

function plainVersion(text: string): semver.SemVer | undefined {
  const { major, minor, patch } = semver.parse(text) ?? semver.coerce(text) ?? {};
  return semver.parse(`${major}.${minor}.${patch}`) ?? undefined;
}

/** Why an add-on blocks an upgrade. */
export interface UpgradeFault {
  /** Name of the TenantAddon. */
  readonly addon: string;
  readonly message: string;
}

export interface UpgradeQuestion {
  /** The add-ons of the cluster. */
  readonly addons: readonly TenantAddon[];
  readonly definitions: readonly AddonDefinition[];
  /** Kubernetes version that the cluster should get. */
  readonly target: string;
}

/** Installed add-ons that do not support a Kubernetes version, according to the catalog or their chart. */
export function upgradeFaults({ addons, definitions, target }: UpgradeQuestion): readonly UpgradeFault[] {
  return addons.flatMap((addon) => {
    if (addon.status?.installedVersion === undefined || addon.metadata.deletionTimestamp !== undefined) return [];
    const definition = definitions.find(({ metadata }) => metadata.name === addon.spec.addon);
    const ranges = [definition?.spec.kubernetesVersions, chartRange(addon)];
    const fault = ranges.map((range) => kubernetesFault(range, target)).find((found) => found !== undefined);
    if (fault === undefined) return [];
    const what = addon.spec.addon || addon.spec.helm?.chart || addon.metadata.name;
    return [{ addon: addon.metadata.name, message: `add-on ${what} ${addon.status.installedVersion} ${fault}` }];
  });
}

/** The range of the chart itself; one that only Helm can parse is left to Helm. */
function chartRange({ status }: TenantAddon): string | undefined {
  const range = status?.helmRelease?.kubernetesVersions;
  return range === undefined || readRange(range) === undefined ? undefined : range;
}
