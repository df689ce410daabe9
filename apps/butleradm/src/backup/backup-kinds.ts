import { allResources, Team } from "@butler/api";
import { builtinKinds, type Kind, type Resource } from "@butler/resource";

/** Butler's own kinds. */
export const butlerKinds: readonly Resource[] = allResources.filter(({ group }) => group === Team.group);

/** The kind of an object of a backup; undefined for kinds that backups do not contain. */
export function kindOf(name: string): Kind | undefined {
  if (name === "Namespace") return builtinKinds.Namespace;
  if (name === "Secret") return builtinKinds.Secret;
  return butlerKinds.find(({ kind }) => kind === name);
}
