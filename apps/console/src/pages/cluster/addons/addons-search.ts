import { type SearchInput, textParam, wordParam } from "../../../data/search-params.ts";

/** Tasks on an open add-on. */
export const addonTasks = ["configure", "version", "rollback", "remove"] as const;
export type AddonTask = (typeof addonTasks)[number];

/** State of the add-ons tab, as kept in the URL. */
export interface AddonsSearch {
  /** Name of the open add-on. */
  readonly addon?: string | undefined;
  /** The current task. */
  readonly task?: AddonTask | undefined;
  /** The catalog entry to enable; `-` while none is selected. */
  readonly enable?: string | undefined;
}

/** Parses the search parameters. */
export function addonsSearch(search: SearchInput): AddonsSearch {
  const { addon } = textParam(search, "addon");
  if (addon === undefined) return textParam(search, "enable");
  return { addon, ...wordParam(search, "task", addonTasks) };
}
