// `butler <role>`: every process of Butler's own.
import { createLogger, MetricsRegistry } from "@butler/telemetry";
import { describeError } from "@butler/std";
import { runProcess } from "@butler/kube";
import { localNode } from "./local-node.ts";

const roles = { "local-node": localNode } as const;

const [role = "", ...args] = process.argv.slice(2);
if (!(role in roles)) {
  process.stderr.write(`usage: butler ROLE, with ROLE one of: ${Object.keys(roles).join(", ")}\n`);
  process.exit(2);
}
const logger = createLogger({ name: role });
const metrics = new MetricsRegistry();
metrics.collectProcessMetrics();
try {
  const { run, isReady } = roles[role as keyof typeof roles](args, { logger, metrics });
  process.exitCode = await runProcess({ logger, metrics, roles: run, isReady });
} catch (error) {
  logger.error("the process could not be started", { error: describeError(error) });
  process.exitCode = 1;
}
