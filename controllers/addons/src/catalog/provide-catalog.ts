import { AddonDefinition, builtinSource, labels } from "@butler/api";
import { covers, type PolicyRule } from "@butler/controller";
import type { KubeClient } from "@butler/kube";
import { parseObject } from "@butler/resource";
import { type BackoffPolicy, backoffDelayMs, type Clock, describeError, sleep, systemClock } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import builtin from "./builtin-catalog.json" with { type: "json" };

/** The add-ons that come with Butler. */
export const builtinCatalog: readonly AddonDefinition[] = (builtin as readonly unknown[]).map((entry) =>
  parseObject(AddonDefinition, entry),
);

/** Permissions to provide the catalog, in addition to those of its readers. */
export const catalogPermissions: readonly PolicyRule[] = [
  { apiGroups: [AddonDefinition.group], resources: [AddonDefinition.plural], verbs: ["get", "create", "patch"] },
];

/** Where the catalog is written, and where it is logged. */
export interface ProvideCatalogOptions {
  readonly client: Pick<KubeClient, "find" | "apply">;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** The entries to provide; the built-in add-ons when absent. */
  readonly definitions?: readonly AddonDefinition[];
}

const fieldManager = "butler-catalog";

/** The admission webhook for AddonDefinitions may not be serving yet. */
const backoff: BackoffPolicy = { initialMs: 500, maximumMs: 30_000, factor: 1.5, jitter: 0.2 };

/**
 * Updates the built-in entries of the catalog, retrying until all are current or the signal aborts. Helm cannot do
 * this: it looks up every kind before it creates anything, and our CRDs are in the same chart.
 */
export async function provideCatalog(options: ProvideCatalogOptions, signal: AbortSignal): Promise<void> {
  const { definitions = builtinCatalog, clock = systemClock } = options;
  let open = definitions;
  for (let failures = 1; open.length > 0 && !signal.aborted; failures++) {
    open = await provideEntries(options, open, signal);
    if (open.length > 0) await sleep(clock, backoffDelayMs(backoff, failures), signal).catch(() => undefined);
  }
}

/** Updates entries, and returns those that failed. */
async function provideEntries(
  options: ProvideCatalogOptions,
  definitions: readonly AddonDefinition[],
  signal: AbortSignal,
): Promise<AddonDefinition[]> {
  const left: AddonDefinition[] = [];
  for (const definition of definitions) {
    try {
      await provideEntry(options, definition, signal);
    } catch (error) {
      const addon = definition.metadata.name;
      if (!signal.aborted) {
        options.logger.warn("cannot apply a catalog entry yet, retrying", { addon, error: describeError(error) });
      }
      left.push(definition);
    }
  }
  return left;
}

async function provideEntry(
  { client, logger }: ProvideCatalogOptions,
  { apiVersion, kind, metadata: { name }, spec }: AddonDefinition,
  signal: AbortSignal,
): Promise<void> {
  const present = await client.find(AddonDefinition, { name }, signal);
  if (present !== undefined && present.metadata.labels?.[labels.source] !== builtinSource) {
    logger.info("catalog entry is not built in, left unchanged", { addon: name });
    return;
  }
  const metadata = { name, labels: { [labels.source]: builtinSource } };
  if (covers(present?.spec, spec)) return;
  const entry: AddonDefinition = { apiVersion, kind, metadata, spec };
  await client.apply(AddonDefinition, entry, { fieldManager, signal });
}
