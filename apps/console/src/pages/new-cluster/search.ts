import { type SearchInput, wordParam } from "../../data/search-params.ts";
import { type StepId, stepIds } from "./step-list.ts";

/** Current step and view of the wizard, as kept in the URL. */
export interface NewClusterSearch {
  readonly step?: StepId | undefined;
  readonly view?: "yaml" | undefined;
}

/** Parses the search parameters of the wizard. */
export function newClusterSearch(search: SearchInput): NewClusterSearch {
  return { ...wordParam(search, "step", stepIds), ...wordParam(search, "view", ["yaml"]) };
}
