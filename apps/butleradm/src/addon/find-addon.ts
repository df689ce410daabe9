import { ManagementAddon } from "@butler/api";
import type { Session } from "@butler/cli-session";
import { NotFound } from "@butler/std";

/** The add-on of the management cluster with that name. */
export async function requireAddon({ client, signal }: Session, name: string): Promise<ManagementAddon> {
  const found = await client.find(ManagementAddon, { name }, signal);
  if (found !== undefined) return found;
  throw new NotFound(`add-on "${name}" not found on the management cluster`, {
    hint: "List them with: butleradm addon list",
  });
}
