import type { TenantCluster } from "@butler/api";
import { Pod } from "@butler/api-external";
import { durationMs, shellCommand, type Terminal, UsageError } from "@butler/cli-kit";
import { readList, type Session, withSession } from "@butler/cli-session";
import { Forbidden, Unavailable } from "@butler/std";
import { type Command, InvalidArgumentError } from "commander";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import {
  harmless,
  linePrefix,
  linesOf,
  logPath,
  type LogSource,
  logSources,
  type LogWish,
} from "./control-plane-logs.ts";
import { findCluster } from "./find-cluster.ts";
import { requireInside } from "./inside.ts";

interface LogsOptions extends ClusterOptions, LogWish {
  readonly component?: string;
  readonly since?: number;
}

/** `butlerctl cluster logs`. */
export function logsCommand(terminal: Terminal): Command {
  return clusterCommand("logs", "Print the logs of a cluster's control plane", [
    "butlerctl cluster logs blue",
    "butlerctl cluster logs blue --component kube-apiserver --tail 500",
    "butlerctl cluster logs blue --component scheduler -f --since 10m",
  ])
    .option("-c, --component <component>", "component, such as kube-apiserver or kube-scheduler (default: all)")
    .option("-f, --follow", "stream new lines as they are written")
    .option("--tail <lines>", "number of lines from the end of each log, or -1 for all", wholeOrAll, 100)
    .option("--since <duration>", "print only lines newer than this duration, such as 10m", durationMs)
    .option("--previous", "print the logs of the previous container instances")
    .option("--timestamps", "include a timestamp on each line")
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<LogsOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      if (options.follow && options.previous) throw new UsageError("--follow and --previous cannot be combined");
      await withSession(terminal, options, async (session) => {
        const cluster = await findCluster(session, wanted);
        await showLogs({ terminal, session, options, cluster }).catch((error: unknown) => {
          throw error instanceof Forbidden ? refused(cluster, error) : error;
        });
      });
    });
}

function wholeOrAll(text: string): number {
  if (/^(-1|\d{1,9})$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Must be a number of lines, or -1 for all.");
}

interface Showing {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: LogsOptions;
  readonly cluster: TenantCluster;
}

async function showLogs(showing: Showing): Promise<void> {
  const { session, options, cluster } = showing;
  const { name } = cluster.metadata;
  const namespace = requireInside(cluster);
  const labelSelector = `steward.butlerlabs.dev/name=${name}`;
  const pods = (await readList(session, Pod, { namespace, labelSelector })) as unknown as Pod[];
  const sources = logSources(pods, options.component);
  if (sources.length === 0) {
    throw new Unavailable(`the control plane of ${name} currently has no pods`, { hint: whyHint(cluster) });
  }
  if (options.follow) await Promise.all(sources.map((source) => showLog(showing, source, sources)));
  else for (const source of sources) await showLog(showing, source, sources);
  session.signal.throwIfAborted();
}

async function showLog(
  { terminal, session, options, cluster }: Showing,
  source: LogSource,
  sources: readonly LogSource[],
): Promise<void> {
  const { transport, signal } = session;
  const path = logPath(requireInside(cluster), source, { ...options, sinceMs: options.since });
  const action = `read the log of ${source.pod}/${source.container}`;
  const stream = await transport.stream({ method: "GET", path, accept: "*/*", signal, action });
  const prefix = terminal.paint("faint", linePrefix(source, sources));
  try {
    for await (const line of linesOf(stream.body)) terminal.print(prefix + harmless(line));
  } catch (error) {
    // A stream that ends because the user interrupted it is not an error.
    if (!signal.aborted) throw error;
  } finally {
    stream.close();
  }
}

/** Control planes of all tenants run on the management cluster, so team roles have no access to their pods. */
function refused(cluster: TenantCluster, cause: Forbidden): Forbidden {
  const { name } = cluster.metadata;
  return new Forbidden(
    `you don't have permission to read the logs of ${name}: team roles have no access to control plane pods`,
    { hint: `Ask a platform administrator. ${whyHint(cluster)}`, details: cause.details },
  );
}

function whyHint({ metadata: { name, namespace = "" } }: TenantCluster): string {
  return `Diagnose the cluster without logs: ${shellCommand("butlerctl", "cluster", "why", name, "-n", namespace)}`;
}
