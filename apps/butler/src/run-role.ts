import { connect, loadKubeConfig, runProcess } from "@butler/kube";
import { ButlerError, describeError, InvalidInput } from "@butler/std";
import { createLogger, MetricsRegistry } from "@butler/telemetry";
import { electedRole } from "./elected-role.ts";
import { takeProcessFlags } from "./process-flags.ts";
import type { StartRole } from "./role.ts";

/** Which role to run, and with what. */
export interface RoleCall {
  readonly name: string;
  readonly load: () => Promise<StartRole>;
  readonly args: readonly string[];
}

/** Runs a role from start to end and gives the process's exit code. */
export async function runRole({ name, load, args }: RoleCall): Promise<number> {
  const logger = createLogger({ name });
  const metrics = new MetricsRegistry();
  metrics.collectProcessMetrics();
  try {
    const { flags, rest } = takeProcessFlags(args);
    const config = loadKubeConfig(flags.kubeconfig);
    const start = await load();
    const { client, close } = connect(config, { metrics, userAgent: `butler-${name}` });
    const role = start(rest, { client, logger, metrics });
    const chosen = flags.isElected
      ? electedRole(role, { client, namespace: ownNamespace(config), name: `butler-${name}`, logger, metrics })
      : role;
    const work = async (signal: AbortSignal): Promise<void> => {
      try {
        await chosen.run(signal);
      } finally {
        await close();
      }
    };
    return await runProcess({ logger, metrics, roles: work, isReady: chosen.isReady, healthPort: flags.healthPort });
  } catch (error) {
    const hint = error instanceof ButlerError ? error.hint : undefined;
    logger.error("the process could not be started", { error: describeError(error), hint });
    return 1;
  }
}

/** The namespace that the process belongs to: its pod's, or the one that its kubeconfig names. */
function ownNamespace(config: ReturnType<typeof loadKubeConfig>): string {
  const namespace = config.getContextObject(config.currentContext)?.namespace;
  if (namespace !== undefined && namespace !== "") return namespace;
  throw new InvalidInput("leader election needs a namespace for its Lease", {
    hint: "Name a namespace in the kubeconfig's current context.",
  });
}
