import type { Team } from "@butler/api";
import { addonNames } from "./baseline/index.ts";

/** What a team may use. */
export type Restrictions = Partial<NonNullable<Team["spec"]["resourceLimits"]>>;

/**
 * Why a team may not use an add-on, as the end of a sentence; undefined when it may. Default add-ons of every cluster
 * need no permission, but can still be denied. An add-on may be listed by any of its names.
 */
export function addonFault(
  addon: string,
  { allowedAddons = [], deniedAddons = [] }: Restrictions,
  { isImplied = false }: { readonly isImplied?: boolean } = {},
): string | undefined {
  const names = addonNames(addon);
  const [name] = names;
  if (names.some((each) => deniedAddons.includes(each))) {
    const hint = isImplied ? "; clusters include it by default: choose another add-on, or disable it" : "";
    return `${name} is in the team's deniedAddons${hint}`;
  }
  if (isImplied || allowedAddons.length === 0 || names.some((each) => allowedAddons.includes(each))) return undefined;
  return `${name} is not in the team's allowedAddons: ${allowedAddons.join(", ")}`;
}
