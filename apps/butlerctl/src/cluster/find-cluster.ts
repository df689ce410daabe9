import { Team, TenantCluster } from "@butler/api";
import { keyText } from "@butler/resource";
import { Forbidden, InvalidInput, NotFound } from "@butler/std";
import { readList, type Session } from "@butler/cli-session";

/** Where a cluster is looked for. */
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
    // Whoever may not read teams may still have rights in the namespace, which has the team's name.
    if (error instanceof Forbidden) return team;
    throw error;
  }
  throw new NotFound(`there is no team "${team}"`);
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
 * Finds a cluster: in the namespace that is named, or else in that of the context, or else in whichever namespace there is
 * exactly one of that name.
 */
export async function findCluster(session: Session, wanted: WantedCluster): Promise<TenantCluster> {
  const { client, signal, contextNamespace } = session;
  const { name } = wanted;
  const named = await namedNamespace(session, wanted);
  const first = named ?? contextNamespace;
  if (first !== undefined) {
    const found = await client.find(TenantCluster, { name, namespace: first }, signal);
    if (found !== undefined) return found;
    if (named !== undefined) throw notFound(`there is no cluster "${name}" in namespace ${first}`);
  }
  const others = await namesakes(session, name);
  const chosen = chooseNamesake(others, name);
  if (first === undefined || wanted.staysInContext !== true) return chosen;
  throw new InvalidInput(
    `there is no cluster "${name}" in namespace ${first}, but there is ${keyText(chosen.metadata)}`,
    {
      hint: `If you mean that one, add -n ${chosen.metadata.namespace ?? ""}.`,
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
    throw new NotFound(`there is no cluster "${name}"${where}, and you may not look in every namespace`, {
      hint: "Name the namespace with -n, or the team with --team.",
    });
  }
}

/** The one cluster of a name; an error when there is none, or when it is not clear which one is meant. */
export function chooseNamesake(clusters: readonly TenantCluster[], name: string): TenantCluster {
  const [only, ...others] = clusters;
  if (only === undefined) throw notFound(`there is no cluster "${name}"`);
  if (others.length === 0) return only;
  const namespaces = clusters.map(({ metadata }) => metadata.namespace ?? "").sort();
  throw new InvalidInput(
    `there are ${clusters.length} clusters "${name}", in the namespaces ${namespaces.join(", ")}`,
    {
      hint: "Say with -n which one you mean.",
    },
  );
}

function notFound(message: string): NotFound {
  return new NotFound(message, { hint: '"butlerctl cluster list -A" shows all the clusters you can see.' });
}
