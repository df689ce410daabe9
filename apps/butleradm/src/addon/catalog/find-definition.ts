import { closestName } from "@butler/addons";
import { AddonDefinition, ManagementAddon, TenantAddon } from "@butler/api";
import { readList, type Session } from "@butler/cli-session";
import { keyText } from "@butler/resource";
import { NotFound } from "@butler/std";

/** The catalog entry of a name; fails with a suggestion when there is none. */
export async function requireDefinition(session: Session, name: string): Promise<AddonDefinition> {
  const found = await session.client.find(AddonDefinition, { name }, session.signal);
  if (found !== undefined) return found;
  const names = (await readList(session, AddonDefinition, {})).map(({ metadata }) => metadata.name);
  const meant = closestName(name, names);
  throw new NotFound(`add-on "${name}" not found in the catalog`, {
    hint: meant === undefined ? "List them with: butleradm addon catalog list" : `Did you mean ${meant}?`,
  });
}

/** The users of a catalog entry: add-ons of tenant clusters and of the management cluster. */
export async function usersOf(session: Session, name: string): Promise<readonly string[]> {
  const [tenant, management] = await Promise.all([
    readList(session, TenantAddon, {}),
    readList(session, ManagementAddon, {}),
  ]);
  const ofTenants = tenant.filter(({ spec }) => spec.helm === undefined && spec.addon === name);
  const own = management.filter(({ spec }) => spec.addon === name);
  return [
    ...ofTenants.map(({ metadata }) => `TenantAddon ${keyText(metadata)}`),
    ...own.map(({ metadata }) => `ManagementAddon ${metadata.name}`),
  ].sort();
}
