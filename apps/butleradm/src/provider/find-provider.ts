import { ButlerConfig, butlerConfigName, namespaces, ProviderConfig, Team, TenantCluster } from "@butler/api";
import type { ProviderSurroundings } from "@butler/administration";
import { readList, type Session, type SessionOptions } from "@butler/cli-session";
import { keyText } from "@butler/resource";
import { NotFound } from "@butler/std";
import type { Command } from "commander";

/** The options of commands about one provider. */
export interface PlaceOptions extends SessionOptions {
  readonly namespace?: string;
  readonly team?: string;
}

/** Gives a command the options that say where a provider is. */
export function withPlace(command: Command): Command {
  return command
    .option("-n, --namespace <namespace>", `namespace of the provider; ${namespaces.system} when absent`)
    .option("--team <team>", "the provider is this team's own");
}

/** The provider of that name. */
export async function requireProvider(
  { client, signal }: Session,
  name: string,
  { namespace, team }: PlaceOptions,
): Promise<ProviderConfig> {
  const key = { name, namespace: namespace ?? team ?? namespaces.system };
  const provider = await client.find(ProviderConfig, key, signal);
  if (provider !== undefined) return provider;
  throw new NotFound(`there is no provider ${keyText(key)}`, {
    hint: "See those that there are with: butleradm provider list",
  });
}

/** Everything that could use a provider. */
export async function readSurroundings(session: Session): Promise<ProviderSurroundings> {
  const { client, signal } = session;
  const [clusters, teams, config] = await Promise.all([
    readList(session, TenantCluster, {}),
    readList(session, Team, {}),
    client.find(ButlerConfig, { name: butlerConfigName }, signal),
  ]);
  return { clusters, teams, config };
}
