import { closestName } from "@butler/addons";
import type { AddonDefinition, TenantAddon, TenantCluster } from "@butler/api";
import { shellCommand } from "@butler/cli-kit";
import { InvalidInput, NotFound } from "@butler/std";

/** The name of the TenantAddon by which a cluster has an add-on. */
export function addonObjectName(cluster: string, addon: string): string {
  return `${cluster}-${addon}`;
}

/** How people call an add-on: by the catalogue's name, by its chart, or by its object. */
export function addonTitle({ metadata, spec }: TenantAddon): string {
  return spec.addon || spec.helm?.chart || metadata.name;
}

/** Finds an add-on of a cluster by the name that Butler gives to it, by its own, or by what it is in the catalogue. */
export function chooseAddon(
  addons: readonly TenantAddon[],
  { cluster, name }: { readonly cluster: string; readonly name: string },
): TenantAddon | undefined {
  const byObject = (wanted: string): TenantAddon | undefined => addons.find(({ metadata }) => metadata.name === wanted);
  const direct = byObject(addonObjectName(cluster, name)) ?? byObject(name);
  if (direct !== undefined) return direct;
  const [only, ...others] = addons.filter(({ spec }) => spec.addon === name);
  if (others.length === 0) return only;
  throw new InvalidInput(`${cluster} has ${others.length + 1} add-ons of ${name}`, {
    hint: `Name one of them: ${[only, ...others].map((addon) => addon?.metadata.name).join(", ")}.`,
  });
}

/** The add-on of a cluster; an error that says what it has when there is none of that name. */
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
  throw new NotFound(`${cluster.metadata.name} has no add-on "${name}"`, {
    hint: meant === undefined ? `See those that it has with: ${list}` : `Did you mean ${meant}?`,
  });
}

/** The definition of a name; an error that says what was probably meant when the catalogue has none. */
export function requireDefinition(definitions: readonly AddonDefinition[], name: string): AddonDefinition {
  const found = definitions.find(({ metadata }) => metadata.name === name);
  if (found !== undefined) return found;
  const meant = closestName(
    name,
    definitions.map(({ metadata }) => metadata.name),
  );
  throw new NotFound(`the catalogue has no add-on "${name}"`, {
    hint:
      meant === undefined
        ? "See what it has with: butlerctl addon catalog. For a chart that is not in it add --repository and --chart."
        : `Did you mean ${meant}?`,
  });
}
