import { connect, loadKubeConfig, runProcess } from "@butler/kube";
import { ButlerError, describeError, InvalidInput } from "@butler/std";
import { createLogger, MetricsRegistry } from "@butler/telemetry";
import { electedRole } from "./elected-role.ts";
import { takeProcessFlags } from "./process-flags.ts";
import type { Role, StartRole } from "./role.ts";

/** The role to run, and its arguments. */
export interface RoleCall {
  readonly name: string;
  readonly load: () => Promise<StartRole>;
  readonly args: readonly string[];
}

/** Runs a role from start to end and returns the process's exit code. */
export async function runRole({ name, load, args }: RoleCall): Promise<number> {
  const metrics = new MetricsRegistry();
  metrics.collectProcessMetrics();
  try {
    const { flags, rest } = takeProcessFlags(args);
    const logger = createLogger({ name, level: flags.logLevel });
    const config = loadKubeConfig(flags.kubeconfig);
    const start = await load();
    const { client, close } = connect(config, { metrics, userAgent: `butler-${name}` });
    const role = start(rest, { client, config, logger, metrics });
    const chosen = flags.isElected
      ? electedRole(role, { client, namespace: ownNamespace(config), name: `butler-${name}`, logger, metrics })
      : role;
    const work = async (signal: AbortSignal): Promise<void> => {
      try {
        await both(role, chosen, signal);
      } finally {
        await close();
      }
    };
    const isReady = (): boolean => chosen.isReady() && (role.isAttending?.() ?? true);
    const waitsFor = (): readonly string[] => [
      ...(chosen.isReady() ? [] : (chosen.waitsFor?.() ?? [])),
      ...((role.isAttending?.() ?? true) ? [] : ["waiting for the admission webhooks to be registered"]),
    ];
    return await runProcess({ logger, metrics, roles: work, isReady, waitsFor, healthPort: flags.healthPort });
  } catch (error) {
    const hint = error instanceof ButlerError ? error.hint : undefined;
    // Logged at any log level.
    createLogger({ name }).error("failed to start", { error: describeError(error), hint });
    return 1;
  }
}

/** The work of the process as a standby, and as the leader. When one of them fails, both stop. */
async function both({ attend }: Role, { run }: Role, signal: AbortSignal): Promise<void> {
  if (attend === undefined) return run(signal);
  const over = new AbortController();
  const together = AbortSignal.any([signal, over.signal]);
  const endBoth = (work: Promise<void>): Promise<void> => work.finally(() => over.abort());
  const results = await Promise.allSettled([endBoth(run(together)), endBoth(attend(together))]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** The namespace of the process: its pod's, or the one of its kubeconfig. */
function ownNamespace(config: ReturnType<typeof loadKubeConfig>): string {
  const namespace = config.getContextObject(config.currentContext)?.namespace;
  if (namespace !== undefined && namespace !== "") return namespace;
  throw new InvalidInput("leader election requires a namespace for its Lease", {
    hint: "Set a namespace in the kubeconfig's current context.",
  });
}
