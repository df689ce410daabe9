import {
  type OutputFormat,
  outputOption,
  renderObject,
  type RenderOptions,
  type Terminal,
  WatchOutput,
} from "@butler/cli-kit";
import { withoutManagedFields } from "@butler/resource";
import type { Command } from "commander";
import { type Session } from "@butler/cli-session";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { clusterView } from "./cluster-view.ts";
import { onCluster } from "./on-cluster.ts";

interface GetOptions extends ClusterOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
  readonly watch?: boolean;
}

/** `butlerctl cluster get`. */
export function getCommand(terminal: Terminal): Command {
  return clusterCommand("get", "Show a cluster", [
    "butlerctl cluster get blue",
    "butlerctl cluster get blue -o yaml",
    "butlerctl cluster get --name blue --team payments --watch",
  ])
    .addOption(outputOption())
    .option("--no-headers", "do not print headers")
    .option("-w, --watch", "watch for changes until the cluster is deleted")
    .action(
      onCluster<GetOptions>(terminal, async (session, cluster, options) => {
        const render = { format: options.output, hasHeader: options.headers, paint: terminal.paint };
        const view = clusterView(() => terminal.clock.now(), { hasNamespace: false });
        if (!options.watch) terminal.print(renderObject(view, withoutManagedFields(cluster), render));
        else await showChanges({ terminal, session, render }, cluster.metadata);
      }),
    );
}

interface Showing {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly render: RenderOptions;
}

async function showChanges(
  { terminal, session: { client, signal }, render }: Showing,
  key: { name: string; namespace?: string | undefined },
): Promise<void> {
  // Loading the watch code takes longer than fetching one cluster.
  const { observeCluster } = await import("./watch-clusters.ts");
  const ended = new AbortController();
  const output = new WatchOutput(
    clusterView(() => terminal.clock.now(), { hasNamespace: false }),
    render,
  );
  let isFirst = true;
  try {
    for await (const cluster of observeCluster(client, key, AbortSignal.any([signal, ended.signal]))) {
      if (cluster === undefined) {
        terminal.say(`${key.name} was deleted.`);
        return;
      }
      for (const line of isFirst ? output.start([cluster]) : output.next(cluster)) terminal.print(line);
      isFirst = false;
    }
    signal.throwIfAborted();
  } finally {
    ended.abort();
  }
}
