import type { TenantAddon } from "@butler/api";
import { type BaselineInput, baselineAddons } from "./baseline-addons.ts";

/**
 * Whether an add-on is one of the slots of its cluster's spec, such as the network. From the spec and not from a label,
 * which anyone who may change the add-on can set.
 */
export function isOfBaseline(
  { spec }: Pick<TenantAddon, "spec">,
  { cluster, providerType }: Pick<BaselineInput, "cluster" | "providerType">,
): boolean {
  if (spec.helm !== undefined) return false;
  const baseline = baselineAddons({ cluster, providerType, config: undefined, definitions: [] });
  return baseline.some(({ name, slot }) => name === (spec.addon ?? "") && slot !== undefined);
}
