import { addonFault, type BaselineAddon, baselineAddons, judgeDependencies } from "@butler/addons";
import type { TenantAddon } from "@butler/api";
import { type Blocker, isBeingDeleted } from "@butler/resource";
import type { Observed } from "../observed.ts";
import { wasReady } from "../was-ready.ts";
import { addonName, addonObject } from "./addon-object.ts";
import type { Member } from "./member.ts";

/**
 * The baseline add-ons of a cluster, in order. A TenantAddon that users created counts
 * as the cluster's, whatever its name.
 */
export function membersOf(observed: Observed): readonly Member[] {
  const { cluster, config, definitions, provider } = observed;
  const providerType = provider.found?.spec.provider;
  const wanted = baselineAddons({ cluster, providerType, config, definitions });
  return wanted
    .map((each) => ({ each, found: findAddon(observed, each) }))
    .filter(({ each, found }) => found !== undefined || isStillWanted(observed, each))
    .reduce<readonly Member[]>((before, { each, found }) => {
      const name = found?.metadata.name ?? addonName(cluster, each.name);
      const blocker = blockerOf(observed, { each, found }, before);
      return [...before, { wanted: each, name, found, blocker }];
    }, []);
}

function findAddon({ cluster, addons }: Observed, { name }: BaselineAddon): TenantAddon | undefined {
  const own = addons.find(({ metadata }) => metadata.name === addonName(cluster, name));
  return own ?? addons.find(({ spec }) => spec.helm === undefined && spec.addon === name);
}

/**
 * An add-on in the cluster's spec is desired while it is in the spec. A preset of the team applies to new clusters: one
 * that is removed later is not restored, and one that the catalog lacked at first is added later.
 */
function isStillWanted({ cluster }: Observed, { slot, name }: BaselineAddon): boolean {
  if (slot !== undefined || !wasReady(cluster)) return true;
  const known = cluster.status?.observedState?.addons?.find((addon) => addon.name === name);
  return known?.status === "Pending" && known.version === "";
}

interface Sought {
  readonly each: BaselineAddon;
  readonly found: TenantAddon | undefined;
}

/** What keeps an add-on from being created. An existing one is kept: its own status reports its problems. */
function blockerOf(observed: Observed, { each, found }: Sought, before: readonly Member[]): Blocker | undefined {
  if (found !== undefined) {
    if (!isBeingDeleted(found)) return undefined;
    return { reason: "AddonBeingRemoved", message: `${each.name} is being removed and will be reinstalled afterwards` };
  }
  const name = addonName(observed.cluster, each.name);
  const namesake = observed.namesakes.find(({ metadata }) => metadata.name === name);
  if (namesake !== undefined) {
    const owner = namesake.spec.clusterRef.name;
    const message = `${each.name} cannot be installed: TenantAddon ${name} belongs to cluster ${owner}; create one with another name for this cluster`;
    return { reason: "AddonNameTaken", message };
  }
  if (each.definition === undefined) {
    const message = `${each.name} is not in the catalog; add it with \`butleradm addon catalog add\``;
    return { reason: "AddonNotInCatalog", message };
  }
  return denialOf(observed, each, before);
}

/** Reports what admission would reject, without trying it. */
function denialOf(observed: Observed, each: BaselineAddon, before: readonly Member[]): Blocker | undefined {
  const { cluster, team, provider, addons, definitions } = observed;
  const isImplied = each.slot !== undefined;
  const fault = addonFault(each.name, team?.spec.resourceLimits ?? {}, { isImplied });
  if (fault !== undefined) return { reason: "AddonDenied", message: fault };
  const providerType = provider.found?.spec.provider;
  const variation = each.definition?.spec.variations?.find(
    ({ providers }) => providerType !== undefined && providers.includes(providerType),
  );
  if (variation?.unsupported !== undefined) {
    const message = `${each.name} cannot be used on ${providerType}: ${variation.unsupported}`;
    return { reason: "UnsupportedProvider", message };
  }
  const planned = before.filter((member) => member.found === undefined && member.blocker === undefined);
  const others = [...addons, ...planned.map((member) => addonObject(observed, member, before))];
  const candidate = addonObject(
    observed,
    { wanted: each, name: addonName(cluster, each.name), found: undefined },
    before,
  );
  const verdict = judgeDependencies(candidate, { addons: others, definitions, providerType });
  if (verdict.state !== "impossible" || verdict.reason === "DependencyMissing") return undefined;
  return { reason: verdict.reason, message: `${each.name} ${verdict.message}` };
}
