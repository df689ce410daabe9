import { labels, type TenantCluster, tenantClusterKind } from "@butler/api";
import {
  type OutputFormat,
  outputOption,
  renderObjects,
  type Terminal,
  UsageError,
  WatchOutput,
  withExamples,
} from "@butler/cli-kit";
import { keyText, withoutManagedFields } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { Command } from "commander";
import { inSession, readList, type Session, type SessionOptions } from "@butler/cli-session";

import { clusterView } from "./cluster-view.ts";

interface ListOptions extends SessionOptions {
  readonly namespace?: string;
  readonly team?: string;
  readonly environment?: string;
  readonly selector?: string;
  readonly allNamespaces?: boolean;
  readonly output: OutputFormat;
  readonly headers: boolean;
  readonly watch?: boolean;
}

interface Scope {
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
}

/** `butlerctl cluster list`. */
export function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .alias("ls")
    .description("List clusters")
    .option("-n, --namespace <namespace>", "namespace of the clusters")
    .option("-A, --all-namespaces", "list clusters in all namespaces")
    .option("--team <team>", "list only clusters that belong to this team")
    .option("--environment <environment>", "list only clusters in this environment")
    .option("-l, --selector <selector>", "label selector, such as tier=gold")
    .addOption(outputOption())
    .option("--no-headers", "do not print headers")
    .option("-w, --watch", "watch for changes")
    .action(
      inSession<ListOptions>(terminal, async (session, options) => {
        const scope = await scopeOf(session, options);
        await (options.watch ? showChanges : showOnce)({ terminal, session, options, scope });
      }),
    );
  return withExamples(command, [
    "butlerctl cluster list",
    "butlerctl cluster list --team payments -o wide",
    "butlerctl cluster list -A -o json",
    "butlerctl cluster list --environment prod --watch",
  ]);
}

async function scopeOf(session: Session, options: ListOptions): Promise<Scope> {
  const { namespace, team, allNamespaces, environment, selector } = options;
  if (allNamespaces && (namespace !== undefined || team !== undefined)) {
    throw new UsageError("-A cannot be combined with -n or --team");
  }
  const parts = [selector, environment === undefined ? undefined : `${labels.environment}=${environment}`];
  const labelSelector = parts.filter((part) => part !== undefined).join(",") || undefined;
  const named = namespace ?? (team === undefined ? undefined : await namespaceOfTeam(session, team));
  return { namespace: allNamespaces ? undefined : (named ?? session.contextNamespace), labelSelector };
}

async function namespaceOfTeam(session: Session, team: string): Promise<string> {
  const { teamNamespace } = await import("./find-cluster.ts");
  return teamNamespace(session, team);
}

interface Listing {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: ListOptions;
  readonly scope: Scope;
}

async function showOnce({ terminal, session, options, scope }: Listing): Promise<void> {
  const clusters = await readAll(session, scope);
  const view = clusterView(() => terminal.clock.now(), { hasNamespace: scope.namespace === undefined });
  const { output: format, headers: hasHeader } = options;
  const text = renderObjects(view, clusters, { format, hasHeader, paint: terminal.paint });
  if (text !== "") terminal.print(text);
  else terminal.say(`No clusters found${scope.namespace === undefined ? "" : ` in namespace ${scope.namespace}`}.`);
}

async function readAll(session: Session, scope: Scope): Promise<TenantCluster[]> {
  try {
    const clusters = await readList(session, tenantClusterKind, scope);
    return (clusters as unknown as TenantCluster[]).map(withoutManagedFields).sort(byKey);
  } catch (error) {
    if (!(error instanceof Forbidden) || scope.namespace !== undefined) throw error;
    throw new Forbidden("you don't have permission to list clusters in all namespaces", {
      hint: "Specify your team with --team, or a namespace with -n.",
    });
  }
}

async function showChanges({ terminal, session, options, scope }: Listing): Promise<void> {
  // A denied list fails at once; a watch would retry indefinitely.
  await session.client.list(tenantClusterKind, { ...scope, limit: 1, signal: session.signal });
  // Loading the watch code takes longer than a list.
  const { watchClusters } = await import("./watch-clusters.ts");
  const { initial, changes } = await watchClusters(session.client, scope, session.signal);
  const view = clusterView(() => terminal.clock.now(), { hasNamespace: scope.namespace === undefined });
  const { output: format, headers: hasHeader } = options;
  const output = new WatchOutput(view, { format, hasHeader, paint: terminal.paint });
  for (const line of output.start([...initial].sort(byKey))) terminal.print(line);
  for await (const { object } of changes) for (const line of output.next(object)) terminal.print(line);
  session.signal.throwIfAborted();
}

function byKey(left: TenantCluster, right: TenantCluster): number {
  return keyText(left.metadata) < keyText(right.metadata) ? -1 : 1;
}
