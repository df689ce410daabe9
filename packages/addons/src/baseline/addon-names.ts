import { slotOf, slotProducts } from "../slots.ts";

/**
 * Every name that people know an add-on of the catalog by: that of the product, as a cluster's spec has it, and that of
 * the AddonDefinition. A team that may not have `nginx` may not have `ingress-nginx` either.
 */
export function addonNames(name: string): readonly [string, ...string[]] {
  const slot = slotOf(name);
  const products = slot === undefined ? [] : Object.entries(slotProducts[slot]);
  const product = products.find(([, definition]) => definition === name)?.[0];
  return product === undefined || product === name ? [name] : [product, name];
}
