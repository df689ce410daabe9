import { baselineAddons } from "@butler/addons";
import { AddonDefinition, ButlerConfig, butlerConfigName, ProviderConfig, Team, TenantCluster } from "@butler/api";
import { outputOption, renderValue, type Terminal } from "@butler/cli-kit";
import { AlreadyExists } from "@butler/kube";
import { type Kind, keyText, type ObjectKey, parseObject } from "@butler/resource";
import { Forbidden, InvalidInput, NotFound } from "@butler/std";
import type { Command } from "commander";
import { readList, type Session, withSession } from "@butler/cli-session";
import { clusterCommand } from "./arguments.ts";
import type { NewCluster } from "./build-cluster.ts";
import { providerKey } from "@butler/diagnosis";
import { newClusterOf, type NewClusterFlags, withNewClusterOptions } from "./new-cluster-options.ts";
import { assemblePlan, type CreationPlan, renderPlan } from "./plan-cluster.ts";
import { type LimitFacts, planLimits } from "./plan-limits.ts";
import { refusalReasons } from "@butler/changes";

interface PlanOptions extends NewClusterFlags {
  readonly output: "table" | "json" | "yaml";
}

/** `butlerctl cluster plan`. */
export function planCommand(terminal: Terminal): Command {
  const command = clusterCommand("plan", "Preview a new cluster without creating it", [
    "butlerctl cluster plan blue --team payments --workers 5",
    "butlerctl cluster plan -f cluster.yaml -o json",
  ]);
  return withNewClusterOptions(command)
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (positional: string | undefined, _options, self: Command) => {
      const flags = self.optsWithGlobals<PlanOptions>();
      const plan = await withSession(terminal, flags, async (session) => {
        const wanted = await newClusterOf(session, { positional, flags, terminal });
        return planCreation(session, wanted);
      });
      if (flags.output === "table") terminal.print(renderPlan(plan, terminal.paint).join("\n"));
      else terminal.print(renderValue(plan, flags.output));
      if (!plan.isAccepted) throw new InvalidInput(`${plan.namespace}/${plan.name} would be denied`);
    });
}

async function planCreation(session: Session, wanted: NewCluster): Promise<CreationPlan> {
  const { cluster, refusals } = await tryCreation(session, wanted);
  const notes: string[] = [];
  if (cluster === undefined) {
    return assemblePlan({ key: wanted.metadata, cluster, refusals, limits: undefined, addons: [], notes });
  }
  const facts = await readLimitFacts(session, cluster, notes);
  const definitions = await readCatalog(session);
  const { config, provider } = facts;
  const addons = baselineAddons({ cluster, providerType: provider?.spec.provider, config, definitions });
  return assemblePlan({ key: wanted.metadata, cluster, refusals, limits: planLimits(cluster, facts), addons, notes });
}

/** Without permission to read the catalog, add-ons are shown without the versions that only it knows. */
async function readCatalog(session: Session): Promise<readonly AddonDefinition[]> {
  try {
    return await readList(session, AddonDefinition, {});
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return [];
    throw error;
  }
}

interface Attempt {
  /** As the API server would store it or, when it denies the request, with the client-side defaults. */
  readonly cluster: TenantCluster | undefined;
  readonly refusals: readonly string[];
}

async function tryCreation({ client, signal }: Session, wanted: NewCluster): Promise<Attempt> {
  try {
    const options = { dryRun: true, fieldManager: "butlerctl", fieldValidation: "Strict", signal } as const;
    return { cluster: await client.create(TenantCluster, wanted, options), refusals: [] };
  } catch (error) {
    return { cluster: withOwnDefaults(wanted), refusals: reasonsOf(error, wanted.metadata) };
  }
}

function reasonsOf(error: unknown, { name, namespace = "" }: ObjectKey): readonly string[] {
  if (error instanceof AlreadyExists) return [`cluster "${name}" already exists in namespace ${namespace}`];
  if (error instanceof NotFound) return [`namespace ${namespace} not found`];
  const reasons = refusalReasons(error);
  if (reasons === undefined) throw error;
  return reasons;
}

function withOwnDefaults(wanted: NewCluster): TenantCluster | undefined {
  try {
    return parseObject(TenantCluster, wanted);
  } catch {
    // Schema violations are already among the refusals.
    return undefined;
  }
}

async function readLimitFacts(session: Session, cluster: TenantCluster, notes: string[]): Promise<LimitFacts> {
  const { client, signal } = session;
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      if (!(error instanceof Forbidden)) throw error;
      notes.push(`You don't have permission to read ${what}, so limits based on it are not shown.`);
      return undefined;
    }
  };
  const find = <K extends Kind>(kind: K, key: ObjectKey | undefined) =>
    key === undefined
      ? Promise.resolve(undefined)
      : attempt(`${kind.kind} ${keyText(key)}`, () => client.find(kind, key, signal));
  const { namespace = "" } = cluster.metadata;
  const teamName = cluster.spec.teamRef?.name;
  const [team, config, provider, beside] = await Promise.all([
    find(Team, teamName === undefined ? undefined : { name: teamName }),
    find(ButlerConfig, { name: butlerConfigName }),
    find(ProviderConfig, providerKey(cluster)),
    attempt(`the clusters in ${namespace}`, () => readList(session, TenantCluster, { namespace })),
  ]);
  const others = (beside ?? []).filter(
    ({ spec, metadata }) => spec.teamRef?.name === teamName && metadata.name !== cluster.metadata.name,
  );
  return { team, config, provider, others };
}
