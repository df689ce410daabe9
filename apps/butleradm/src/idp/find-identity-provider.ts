import { IdentityProvider } from "@butler/api";
import type { Session } from "@butler/cli-session";
import { NotFound } from "@butler/std";

/** The identity provider of that name. */
export async function requireProvider({ client, signal }: Session, name: string): Promise<IdentityProvider> {
  const provider = await client.find(IdentityProvider, { name }, signal);
  if (provider !== undefined) return provider;
  throw new NotFound(`identity provider ${name} not found`, {
    hint: "List them with: butleradm idp list",
  });
}
