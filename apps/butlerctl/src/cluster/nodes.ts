import type { TenantCluster } from "@butler/api";
import { Machine } from "@butler/api-external";
import type { Terminal } from "@butler/cli-kit";
import { readList, type Session } from "@butler/cli-session";
import { connect, type ConnectedClient, listAll, readTenantKubeconfig } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { describeError, Forbidden, NotFound } from "@butler/std";
import { type NodeView, showNode } from "@butler/diagnosis";
import type { Command } from "commander";
import { askServer } from "../ask-server.ts";
import { withRowsOptions } from "../rows-command.ts";
import { changesOf, everySoOften, type RowsOptions, showRows } from "../show-rows.ts";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { onCluster } from "./on-cluster.ts";
import { requireInside } from "./inside.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { nodeRows, nodesView } from "./node-rows.ts";

interface NodesOptions extends ClusterOptions, RowsOptions {}

/** Timeout for listing nodes in the tenant cluster; afterwards only machine data is shown. */
const patienceMs = 10_000;
const intervalMs = 2_000;

/** `butlerctl cluster nodes`. */
export function nodesCommand(terminal: Terminal): Command {
  const command = clusterCommand("nodes", "List the nodes of a cluster and their machines", [
    "butlerctl cluster nodes blue",
    "butlerctl cluster nodes blue -o wide",
    "butlerctl cluster nodes blue --watch",
  ]);
  return withRowsOptions(command).action(
    onCluster<NodesOptions>(terminal, async (session, cluster, options) => {
      const namespace = requireInside(cluster);
      const reader = new NodeReader(session, cluster, terminal);
      try {
        await showRows(terminal, options, {
          view: nodesView(() => terminal.clock.now()),
          read: async () => {
            const machines = (await readList(session, Machine, { namespace })) as unknown as Machine[];
            return nodeRows(cluster.metadata.name, machines, await reader.read());
          },
          idOf: ({ name: node, machine }) => machine || node,
          changes: (signal) => reader.changes(namespace, signal),
          nothing: `${cluster.metadata.name} has no nodes yet.`,
        });
      } finally {
        await reader.close();
      }
    }),
  );
}

type Ask = (signal: AbortSignal) => Promise<NodeView[]>;

/** Reads the nodes of a cluster with the access the user has: its kubeconfig, the server, or neither. */
class NodeReader {
  readonly #session: Session;
  readonly #cluster: TenantCluster;
  readonly #terminal: Terminal;
  #ask: Promise<Ask | undefined> | undefined;
  #tenant: ConnectedClient | undefined;

  constructor(session: Session, cluster: TenantCluster, terminal: Terminal) {
    this.#session = session;
    this.#cluster = cluster;
    this.#terminal = terminal;
  }

  /** The nodes; undefined when they cannot be read, after the reason was printed. */
  async read(): Promise<NodeView[] | undefined> {
    this.#ask ??= this.#findWay();
    const ask = await this.#ask;
    if (ask === undefined) return undefined;
    const { signal } = this.#session;
    try {
      return await ask(AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
    } catch (error) {
      signal.throwIfAborted();
      this.#terminal.say(
        `Cannot list the nodes (${describeError(error)}); showing the status of Machine objects instead.`,
      );
      return undefined;
    }
  }

  /** Watches machines and nodes where the user has access; polls otherwise. */
  changes(namespace: string, signal: AbortSignal): AsyncIterable<unknown> {
    if (this.#tenant === undefined) return everySoOften(this.#terminal.clock, intervalMs, signal);
    const machines = changesOf(this.#session.client, [{ kind: Machine, scope: { namespace } }], signal);
    const nodes = changesOf(this.#tenant.client, [{ kind: builtinKinds.Node, scope: {} }], signal);
    return eitherOf(machines, nodes);
  }

  async close(): Promise<void> {
    await this.#tenant?.close();
  }

  async #findWay(): Promise<Ask | undefined> {
    try {
      const tenant = connect(readTenantKubeconfig(await readKubeconfig(this.#session, this.#cluster)), {
        userAgent: "butler-cli",
      });
      this.#tenant = tenant;
      return async (signal) => {
        const nodes: NodeView[] = [];
        for await (const node of listAll(tenant.client, builtinKinds.Node, { signal })) nodes.push(showNode(node));
        return nodes;
      };
    } catch (error) {
      if (error instanceof Forbidden && this.#session.login !== undefined) return this.#throughServer();
      if (!(error instanceof Forbidden) && !(error instanceof NotFound)) throw error;
      this.#terminal.say(
        "You don't have access to the cluster's kubeconfig; showing the status of Machine objects instead.",
      );
      return undefined;
    }
  }

  #throughServer(): Ask {
    const { name, namespace = "" } = this.#cluster.metadata;
    return (signal) =>
      askServer(this.#session, async (client) => {
        const { listClusterNodes } = await import("@butler/contract");
        return (await client.call(listClusterNodes, { params: { namespace, name } }, { signal })).nodes;
      });
  }
}

/** Yields when either of both does. */
async function* eitherOf(left: AsyncIterable<unknown>, right: AsyncIterable<unknown>): AsyncGenerator<undefined> {
  const [first, second] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  let [ofFirst, ofSecond] = [first.next(), second.next()];
  while (true) {
    const which = await Promise.race([ofFirst.then(() => "first" as const), ofSecond.then(() => "second" as const)]);
    const { done } = await (which === "first" ? ofFirst : ofSecond);
    if (done) return;
    if (which === "first") ofFirst = first.next();
    else ofSecond = second.next();
    yield undefined;
  }
}
