import { slotOf, slotProducts } from "../slots.ts";

/**
 * All names of a catalog add-on: the product name in a cluster's spec, and the name of the AddonDefinition. A team that
 * is denied `nginx` is denied `ingress-nginx` as well.
 */
export function addonNames(name: string): readonly [string, ...string[]] {
  const slot = slotOf(name);
  const products = slot === undefined ? [] : Object.entries(slotProducts[slot]);
  const product = products.find(([, definition]) => definition === name)?.[0];
  return product === undefined || product === name ? [name] : [product, name];
}
