import type { ObjectFor } from "@butler/kube";
import { type shownKinds, type SourceName, sourceNames } from "./shown-kinds.ts";

/** All displayed objects at one point in time. */
export type Objects = { readonly [Name in SourceName]: readonly ObjectFor<(typeof shownKinds)[Name]>[] };

/** State of a list. */
export type SourceState =
  | { readonly state: "waiting" }
  | { readonly state: "live" }
  /** It was watched before, but is not now. */
  | { readonly state: "stale"; readonly why: string }
  /** The cluster does not serve this kind. */
  | { readonly state: "absent" }
  | { readonly state: "refused"; readonly why: string };

/** The objects, and the state of each list. */
export interface Snapshot extends Objects {
  readonly sources: Readonly<Record<SourceName, SourceState>>;
}

/** The snapshot before anything is loaded. */
export const emptySnapshot: Snapshot = {
  ...(Object.fromEntries(sourceNames.map((name) => [name, []])) as unknown as Objects),
  sources: Object.fromEntries(
    sourceNames.map((name) => [name, { state: "waiting" }]),
  ) as unknown as Snapshot["sources"],
};
