import { Team, TenantCluster } from "@butler/api";
import { keyText } from "@butler/resource";
import { Forbidden, InvalidInput, NotFound } from "@butler/std";
import { readList, type Session } from "@butler/cli-session";

/** Where to find a cluster. */
export interface WantedCluster {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly team?: string | undefined;
  /** True when a cluster in another namespace than the context's must be named with its namespace. */
  readonly staysInContext?: boolean;
}

/** The namespace of a team's clusters. */
export async function teamNamespace({ client, signal }: Session, team: string): Promise<string> {
  try {
    const found = await client.find(Team, { name: team }, signal);
    if (found !== undefined) return found.status?.namespace ?? team;
  } catch (error) {
    // A user without permission to read teams may still have access to the namespace, which has the team's name.
    if (error instanceof Forbidden) return team;
    throw error;
  }
  throw new NotFound(`team "${team}" not found`);
}

/** The namespace that the options name, if they name one. */
export async function namedNamespace(
  session: Session,
  { namespace, team }: Pick<WantedCluster, "namespace" | "team">,
): Promise<string | undefined> {
  if (namespace !== undefined) return namespace;
  return team === undefined ? undefined : teamNamespace(session, team);
}

/**
 * Finds a cluster: in the given namespace, else in the namespace of the context, else in any namespace if exactly one
 * cluster has that name.
 */
export async function findCluster(session: Session, wanted: WantedCluster): Promise<TenantCluster> {
  const { client, signal, contextNamespace } = session;
  const { name } = wanted;
  const named = await namedNamespace(session, wanted);
  const first = named ?? contextNamespace;
  if (first !== undefined) {
    const found = await client.find(TenantCluster, { name, namespace: first }, signal);
    if (found !== undefined) return found;
    if (named !== undefined) throw notFound(`cluster "${name}" not found in namespace ${first}`);
  }
  const others = await namesakes(session, name);
  const chosen = chooseNamesake(others, name);
  if (first === undefined || wanted.staysInContext !== true) return chosen;
  throw new InvalidInput(
    `cluster "${name}" not found in namespace ${first}; did you mean ${keyText(chosen.metadata)}?`,
    {
      hint: `If so, add -n ${chosen.metadata.namespace ?? ""}.`,
    },
  );
}

async function namesakes(session: Session, name: string): Promise<TenantCluster[]> {
  try {
    return await readList(session, TenantCluster, { fieldSelector: `metadata.name=${name}` });
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    const { contextNamespace } = session;
    const where = contextNamespace === undefined ? "" : ` in namespace ${contextNamespace}`;
    throw new NotFound(`cluster "${name}" not found${where}, and you don't have permission to search all namespaces`, {
      hint: "Specify the namespace with -n, or the team with --team.",
    });
  }
}

/** The only cluster with a name; throws when none or several have it. */
export function chooseNamesake(clusters: readonly TenantCluster[], name: string): TenantCluster {
  const [only, ...others] = clusters;
  if (only === undefined) throw notFound(`cluster "${name}" not found`);
  if (others.length === 0) return only;
  const namespaces = clusters.map(({ metadata }) => metadata.namespace ?? "").sort();
  throw new InvalidInput(`${clusters.length} clusters are named "${name}", in namespaces ${namespaces.join(", ")}`, {
    hint: "Select one with -n.",
  });
}

function notFound(message: string): NotFound {
  return new NotFound(message, { hint: "List all clusters you can access with: butlerctl cluster list -A" });
}
