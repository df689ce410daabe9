import { ButlerConfig, butlerConfigName, namespaces, ProviderConfig, Team, TenantCluster } from "@butler/api";
import type { ProviderSurroundings } from "@butler/administration";
import { readList, type Session, type SessionOptions } from "@butler/cli-session";
import { keyText } from "@butler/resource";
import { NotFound } from "@butler/std";
import type { Command } from "commander";

/** Options that select a provider. */
export interface PlaceOptions extends SessionOptions {
  readonly namespace?: string;
  readonly team?: string;
}

/** Adds the options that select a provider. */
export function withPlace(command: Command): Command {
  return command
    .option("-n, --namespace <namespace>", `namespace of the provider (default: ${namespaces.system})`)
    .option("--team <team>", "team that owns the provider");
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
  throw new NotFound(`provider ${keyText(key)} not found`, {
    hint: "List them with: butleradm provider list",
  });
}

/** Everything that can use a provider. */
export async function readSurroundings(session: Session): Promise<ProviderSurroundings> {
  const { client, signal } = session;
  const [clusters, teams, config] = await Promise.all([
    readList(session, TenantCluster, {}),
    readList(session, Team, {}),
    client.find(ButlerConfig, { name: butlerConfigName }, signal),
  ]);
  return { clusters, teams, config };
}
