import { closestName } from "@butler/addons";
import type { AddonDefinition, TenantAddon, TenantCluster } from "@butler/api";
import { shellCommand } from "@butler/cli-kit";
import { InvalidInput, NotFound } from "@butler/std";

/** The name of the TenantAddon of an add-on on a cluster. */
export function addonObjectName(cluster: string, addon: string): string {
  return `${cluster}-${addon}`;
}

/** The display name of an add-on: its catalog name, its chart, or its object name. */
export function addonTitle({ metadata, spec }: TenantAddon): string {
  return spec.addon || spec.helm?.chart || metadata.name;
}

/** Finds an add-on of a cluster by the name Butler generates, by its object name, or by its catalog name. */
export function chooseAddon(
  addons: readonly TenantAddon[],
  { cluster, name }: { readonly cluster: string; readonly name: string },
): TenantAddon | undefined {
  const byObject = (wanted: string): TenantAddon | undefined => addons.find(({ metadata }) => metadata.name === wanted);
  const direct = byObject(addonObjectName(cluster, name)) ?? byObject(name);
  if (direct !== undefined) return direct;
  const [only, ...others] = addons.filter(({ spec }) => spec.addon === name);
  if (others.length === 0) return only;
  throw new InvalidInput(`${cluster} has ${others.length + 1} add-ons that match "${name}"`, {
    hint: `Specify one of: ${[only, ...others].map((addon) => addon?.metadata.name).join(", ")}.`,
  });
}

/** The add-on of a cluster; throws NotFound with a suggestion when no add-on has that name. */
export function requireAddon(addons: readonly TenantAddon[], cluster: TenantCluster, name: string): TenantAddon {
  const found = chooseAddon(addons, { cluster: cluster.metadata.name, name });
  if (found !== undefined) return found;
  const titles = addons.map(addonTitle);
  const meant = closestName(name, titles);
  const list = shellCommand(
    "butlerctl",
    "addon",
    "list",
    cluster.metadata.name,
    "-n",
    cluster.metadata.namespace ?? "",
  );
  throw new NotFound(`add-on "${name}" not found on cluster ${cluster.metadata.name}`, {
    hint: meant === undefined ? `List the cluster's add-ons with: ${list}` : `Did you mean ${meant}?`,
  });
}

/** The definition with a name; throws NotFound with a suggestion when the catalog has none. */
export function requireDefinition(definitions: readonly AddonDefinition[], name: string): AddonDefinition {
  const found = definitions.find(({ metadata }) => metadata.name === name);
  if (found !== undefined) return found;
  const meant = closestName(
    name,
    definitions.map(({ metadata }) => metadata.name),
  );
  throw new NotFound(`add-on "${name}" not found in the catalog`, {
    hint:
      meant === undefined
        ? "List the catalog with: butlerctl addon catalog. To install another chart, add --repository and --chart."
        : `Did you mean ${meant}?`,
  });
}
