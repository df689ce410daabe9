import { type SearchInput, wordParam } from "../../data/search-params.ts";
import { type StepId, stepIds } from "./step-list.ts";

/** Where in the wizard somebody is, as its address tells it. */
export interface NewClusterSearch {
  readonly step?: StepId | undefined;
  readonly view?: "yaml" | undefined;
}

/** Reads the address of the wizard. */
export function newClusterSearch(search: SearchInput): NewClusterSearch {
  return { ...wordParam(search, "step", stepIds), ...wordParam(search, "view", ["yaml"]) };
}
