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

/** Where the release of an add-on of a tenant cluster goes; an add-on of the catalogue needs its definition for it. */
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

/** Where the release of an AddonDefinition goes, on whichever cluster. */
export function definedPlace(definition: AddonDefinition | undefined, name: string): ReleasePlace {
  const defaults = definition?.spec.defaults;
  return {
    release: defaults?.releaseName || name,
    namespace: defaults?.namespace || name,
    createNamespace: defaults?.createNamespace ?? true,
  };
}

/** Why Helm or Kubernetes would not take the names of a release, as a sentence. */
export function placeFault({ release, namespace }: ReleasePlace): string | undefined {
  if (release.length > longestReleaseName || !releasePattern.test(release)) {
    return `${JSON.stringify(release)} cannot be the name of a Helm release: at most ${longestReleaseName} lower-case letters, digits, '-' and '.'`;
  }
  if (namespace.length > 63 || !namespacePattern.test(namespace)) {
    return `${JSON.stringify(namespace)} cannot be the name of a namespace: at most 63 lower-case letters, digits and '-'`;
  }
  return undefined;
}

/** A long name is cut and gets a hash, so that two long names stay apart. */
function shortened(name: string): string {
  if (name.length <= longestReleaseName) return name;
  return `${name.slice(0, longestReleaseName - 9)}-${fingerprintOf(name).slice(0, 8)}`;
}
