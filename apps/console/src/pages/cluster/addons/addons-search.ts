import { type SearchInput, textParam, wordParam } from "../../../data/search-params.ts";

/** What can be done with an add-on that is open. */
export const addonTasks = ["configure", "version", "rollback", "remove"] as const;
export type AddonTask = (typeof addonTasks)[number];

/** What the tab of add-ons shows, as the address has it. */
export interface AddonsSearch {
  /** The add-on that is open. */
  readonly addon?: string | undefined;
  /** What is being done with it. */
  readonly task?: AddonTask | undefined;
  /** The entry of the catalogue that is about to be enabled; `-` while none is chosen. */
  readonly enable?: string | undefined;
}

/** Reads the address. */
export function addonsSearch(search: SearchInput): AddonsSearch {
  const { addon } = textParam(search, "addon");
  if (addon === undefined) return textParam(search, "enable");
  return { addon, ...wordParam(search, "task", addonTasks) };
}
