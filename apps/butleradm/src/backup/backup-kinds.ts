import { allResources, Team } from "@butler/api";
import { builtinKinds, type Kind, type Resource } from "@butler/resource";

/** Butler's own kinds: what people have told Butler, and what Butler has promised them. */
export const butlerKinds: readonly Resource[] = allResources.filter(({ group }) => group === Team.group);

/** The kind of an object of a backup; undefined for what has no business there. */
export function kindOf(name: string): Kind | undefined {
  if (name === "Namespace") return builtinKinds.Namespace;
  if (name === "Secret") return builtinKinds.Secret;
  return butlerKinds.find(({ kind }) => kind === name);
}
