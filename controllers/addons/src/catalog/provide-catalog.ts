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

/** What putting the catalogue in needs beyond what its readers may do anyway. */
export const catalogPermissions: readonly PolicyRule[] = [
  { apiGroups: [AddonDefinition.group], resources: [AddonDefinition.plural], verbs: ["get", "create", "patch"] },
];

/** Where the catalogue goes, and who hears of it. */
export interface ProvideCatalogOptions {
  readonly client: Pick<KubeClient, "find" | "apply">;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** What is put in; the add-ons that come with Butler when absent. */
  readonly definitions?: readonly AddonDefinition[];
}

const fieldManager = "butler-catalog";

/** Whoever judges AddonDefinitions may be a moment away from answering. */
const backoff: BackoffPolicy = { initialMs: 500, maximumMs: 30_000, factor: 1.5, jitter: 0.2 };

/**
 * Brings the built-in entries of the catalogue up to date, trying until all are or the signal aborts. Helm could not do
 * it: it looks up every kind before it makes anything, and our kinds come with the same chart.
 */
export async function provideCatalog(options: ProvideCatalogOptions, signal: AbortSignal): Promise<void> {
  const { definitions = builtinCatalog, clock = systemClock } = options;
  let open = definitions;
  for (let failures = 1; open.length > 0 && !signal.aborted; failures++) {
    open = await provideEntries(options, open, signal);
    if (open.length > 0) await sleep(clock, backoffDelayMs(backoff, failures), signal).catch(() => undefined);
  }
}

/** Brings entries up to date, and gives those that could not be. */
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
        options.logger.warn("an entry of the catalogue is not there yet", { addon, error: describeError(error) });
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
    logger.info("an entry of the catalogue is somebody's own and stays as it is", { addon: name });
    return;
  }
  const metadata = { name, labels: { [labels.source]: builtinSource } };
  if (covers(present?.spec, spec)) return;
  const entry: AddonDefinition = { apiVersion, kind, metadata, spec };
  await client.apply(AddonDefinition, entry, { fieldManager, signal });
}
