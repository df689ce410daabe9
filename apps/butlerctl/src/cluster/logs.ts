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
  return clusterCommand("logs", "Show the logs of a cluster's control plane", [
    "butlerctl cluster logs blue",
    "butlerctl cluster logs blue --component kube-apiserver --tail 500",
    "butlerctl cluster logs blue --component scheduler -f --since 10m",
  ])
    .option("-c, --component <component>", "only this one, such as kube-apiserver, kube-scheduler; all when absent")
    .option("-f, --follow", "go on and show new lines as they come")
    .option("--tail <lines>", "lines from the end of each log; -1 for all", wholeOrAll, 100)
    .option("--since <duration>", "only lines that are not older, such as 10m", durationMs)
    .option("--previous", "the logs of containers before they were started again")
    .option("--timestamps", "put the time before each line")
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<LogsOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      if (options.follow && options.previous) throw new UsageError("--follow and --previous exclude each other");
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
  throw new InvalidArgumentError("It takes a number of lines, or -1 for all.");
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
    throw new Unavailable(`the control plane of ${name} has no pods at the moment`, { hint: whyHint(cluster) });
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
    // The end of a stream that the person has had enough of is no trouble.
    if (!signal.aborted) throw error;
  } finally {
    stream.close();
  }
}

/** A control plane runs among those of others, on the platform: roles of a team do not reach its pods. */
function refused(cluster: TenantCluster, cause: Forbidden): Forbidden {
  const { name } = cluster.metadata;
  return new Forbidden(
    `you may not read the logs of ${name}: its control plane runs on the platform, and no role of a team has its pods`,
    { hint: `Whoever looks after the platform can. ${whyHint(cluster)}`, details: cause.details },
  );
}

function whyHint({ metadata: { name, namespace = "" } }: TenantCluster): string {
  return `See what is known without them: ${shellCommand("butlerctl", "cluster", "why", name, "-n", namespace)}`;
}
