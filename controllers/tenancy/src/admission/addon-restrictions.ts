import { addonNames } from "@butler/addons";
import type { Team } from "@butler/api";

/** What a team may use. */
export type Restrictions = Partial<NonNullable<Team["spec"]["resourceLimits"]>>;

/**
 * Why a team may not use an add-on, as the end of a sentence; undefined when it may. What comes with every cluster without
 * being asked for needs no leave, and can be denied all the same. An add-on may be listed by any of its names.
 */
export function addonFault(
  addon: string,
  { allowedAddons = [], deniedAddons = [] }: Restrictions,
  { isImplied = false }: { readonly isImplied?: boolean } = {},
): string | undefined {
  const names = addonNames(addon);
  const [name] = names;
  if (names.some((each) => deniedAddons.includes(each))) {
    const hint = isImplied ? "; it comes with every cluster, so choose another or switch it off there" : "";
    return `${name} is among the team's deniedAddons${hint}`;
  }
  if (isImplied || allowedAddons.length === 0 || names.some((each) => allowedAddons.includes(each))) return undefined;
  return `${name} is not among the team's allowedAddons: ${allowedAddons.join(", ")}`;
}
