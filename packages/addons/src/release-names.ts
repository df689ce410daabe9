import type { AddonDefinition, TenantAddon } from "@butler/api";
import { fingerprintOf } from "./fingerprint.ts";

/** Helm's own limit: names of a release's objects are made from it. */
export const longestReleaseName = 53;

const releasePattern = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const namespacePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Where in a cluster a release is. */
export interface ReleasePlace {
  readonly release: string;
  readonly namespace: string;
  readonly createNamespace: boolean;
}

/** The place of the release of an add-on of a tenant cluster; an add-on of the catalog needs its definition. */
export function releasePlace(addon: TenantAddon, definition: AddonDefinition | undefined): ReleasePlace {
  const { helm } = addon.spec;
  if (helm !== undefined) {
    return {
      release: helm.releaseName || shortened(addon.metadata.name),
      namespace: helm.namespace || helm.chart,
      createNamespace: helm.createNamespace,
    };
  }
  return definedPlace(definition, addon.spec.addon ?? addon.metadata.name);
}

/** The place of the release of an AddonDefinition, on any cluster. */
export function definedPlace(definition: AddonDefinition | undefined, name: string): ReleasePlace {
  const defaults = definition?.spec.defaults;
  return {
    release: defaults?.releaseName || name,
    namespace: defaults?.namespace || name,
    createNamespace: defaults?.createNamespace ?? true,
  };
}

/** Why Helm or Kubernetes rejects the names of a release, as a sentence. */
export function placeFault({ release, namespace }: ReleasePlace): string | undefined {
  if (release.length > longestReleaseName || !releasePattern.test(release)) {
    return `${JSON.stringify(release)} is not a valid Helm release name: at most ${longestReleaseName} lowercase letters, digits, '-' and '.'`;
  }
  if (namespace.length > 63 || !namespacePattern.test(namespace)) {
    return `${JSON.stringify(namespace)} is not a valid namespace name: at most 63 lowercase letters, digits and '-'`;
  }
  return undefined;
}

/** Truncates a long name and adds a hash, so that two long names stay distinct. */
function shortened(name: string): string {
  if (name.length <= longestReleaseName) return name;
  return `${name.slice(0, longestReleaseName - 9)}-${fingerprintOf(name).slice(0, 8)}`;
}
