import { labels, type TenantAddon, type TenantCluster } from "@butler/api";
import type { Values } from "./merge-values.ts";

/** A place in `TenantCluster.spec.addons` that one product fills. */
export type AddonSlot = keyof NonNullable<TenantCluster["spec"]["addons"]>;

/**
 * Which AddonDefinition each product of a slot is, the platform's choice first. A slot that names no product, such as
 * certManager, has one only.
 */
export const slotProducts: Readonly<Record<AddonSlot, Readonly<Record<string, string>>>> = {
  cni: { cilium: "cilium" },
  loadBalancer: { metallb: "metallb" },
  certManager: { "cert-manager": "cert-manager" },
  storage: { longhorn: "longhorn", linstor: "linstor" },
  ingress: { traefik: "traefik", nginx: "ingress-nginx" },
  gitops: { fluxcd: "flux", argocd: "argocd" },
};

/** The slot that an AddonDefinition can fill. */
export function slotOf(definition: string): AddonSlot | undefined {
  const slots = Object.keys(slotProducts) as AddonSlot[];
  return slots.find((slot) => Object.values(slotProducts[slot]).includes(definition));
}

/**
 * Values that the cluster sets for an add-on: those of the slot that the add-on fills. An additional ingress controller
 * beside the cluster's own fills no slot.
 */
export function slotValues({ spec }: TenantCluster, addon: TenantAddon): Values | undefined {
  const definition = addon.spec.addon;
  const slot = definition === undefined ? undefined : slotOf(definition);
  if (slot === undefined || definition === undefined) return undefined;
  const wish = spec.addons[slot];
  if (wish === undefined || !("values" in wish)) return undefined;
  const product = "provider" in wish ? wish.provider : undefined;
  const isChosen = product === undefined ? isImplied(addon, slot) : slotProducts[slot][product] === definition;
  return isChosen ? wish.values : undefined;
}

function isImplied(addon: TenantAddon, slot: AddonSlot): boolean {
  return (
    addon.metadata.labels?.[labels.baseline] === "true" || Object.values(slotProducts[slot])[0] === addon.spec.addon
  );
}
