import { Team, TenantAddon, TenantCluster } from "@butler/api";
import type { AdmissionHandler, AdmissionRequest, Denial, KubeClient } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import { addonFault } from "./addon-restrictions.ts";
import { deniedFor } from "./denials.ts";

/** Everything that a judgement about an add-on is made from. */
export interface TenantAddonInput {
  readonly addon: TenantAddon;
  readonly before: TenantAddon | undefined;
  /** The team whose cluster it is for; undefined when there is none. */
  readonly team: Team | undefined;
}

/**
 * Every reason to refuse an add-on of a cluster. What a team may not have in the cluster's own list it may not add to it
 * either; a chart goes by its own name.
 */
export function decideTenantAddon({ addon, before, team }: TenantAddonInput): Denial[] {
  const name = nameOf(addon);
  if (isBeingDeleted(addon) || (before !== undefined && nameOf(before) === name)) return [];
  const path = addon.spec.helm === undefined ? "spec.addon" : "spec.helm.chart";
  return deniedFor("NOT_ALLOWED", path, addonFault(name, team?.spec.resourceLimits ?? {}));
}

function nameOf({ spec }: TenantAddon): string {
  return spec.helm?.chart ?? spec.addon ?? "";
}

/** Judges add-ons when they are made or changed. */
export function tenantAddonAdmission(client: Pick<KubeClient, "find">): AdmissionHandler<typeof TenantAddon> {
  return {
    path: "/validate-butler-butlerlabs-dev-v1alpha1-tenantaddon",
    kind: TenantAddon,
    validate: (request, signal) => judge(request, client, signal),
  };
}

async function judge(
  { operation, object: addon, oldObject: before, namespace = "" }: AdmissionRequest<TenantAddon>,
  client: Pick<KubeClient, "find">,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (operation === "DELETE" || addon === undefined) return [];
  const cluster = await client.find(TenantCluster, { name: addon.spec.clusterRef.name, namespace }, signal);
  // An add-on may be there before its cluster, which is then one of the namespace's team.
  const team = await client.find(Team, { name: cluster?.spec.teamRef?.name ?? namespace }, signal);
  return decideTenantAddon({ addon, before, team });
}
