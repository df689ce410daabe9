import { AddonDefinition, builtinSource, labels } from "@butler/api";
import { covers, defineSingleton, type PolicyRule, type SingletonPass } from "@butler/controller";
import type { KubeClient } from "@butler/kube";
import { kindId, parseObject } from "@butler/resource";
import { describeError, Unavailable } from "@butler/std";
import builtin from "./builtin-catalog.json" with { type: "json" };

/** The add-ons that come with Butler. */
export const builtinCatalog: readonly AddonDefinition[] = (builtin as readonly unknown[]).map((entry) =>
  parseObject(AddonDefinition, entry),
);

/** Permissions to provide the catalog, in addition to those of its readers. */
export const catalogPermissions: readonly PolicyRule[] = [
  { apiGroups: [AddonDefinition.group], resources: [AddonDefinition.plural], verbs: ["get", "create", "patch"] },
];

/** What the catalog is provided with. */
export interface CatalogPorts {
  readonly client: Pick<KubeClient, "find" | "apply">;
  /** The entries to provide; the built-in add-ons when absent. */
  readonly definitions?: readonly AddonDefinition[];
}

const fieldManager = "butler-catalog";

/**
 * Updates the built-in entries of the catalog, retrying until all are current. Helm cannot do this: it looks up every
 * kind before it creates anything, and our CRDs are in the same chart.
 */
export const catalogSingleton = defineSingleton<CatalogPorts>({
  name: "catalog",
  permissions: catalogPermissions,
  runsOnce: true,
  // The admission webhook for AddonDefinitions may not be serving yet.
  backoff: { initialMs: 500, maximumMs: 30_000, factor: 1.5, jitter: 0.2 },
  failure: { message: "the catalog is incomplete, retrying" },
  reconcile: async (pass) => {
    const { definitions = builtinCatalog } = pass.ports;
    const failed: string[] = [];
    for (const definition of definitions) {
      const addon = definition.metadata.name;
      try {
        await provideEntry(pass, definition);
      } catch (error) {
        pass.signal.throwIfAborted();
        pass.logger.warn("cannot apply a catalog entry yet, retrying", { addon, error: describeError(error) });
        failed.push(addon);
      }
    }
    if (failed.length > 0) throw new Unavailable(`cannot apply ${failed.join(", ")}`);
  },
});

async function provideEntry(
  { ports: { client }, logger, signal, act }: SingletonPass<CatalogPorts>,
  { apiVersion, kind, metadata: { name }, spec }: AddonDefinition,
): Promise<void> {
  const present = await client.find(AddonDefinition, { name }, signal);
  if (present !== undefined && present.metadata.labels?.[labels.source] !== builtinSource) {
    logger.info("catalog entry with this name is not built in; leaving it unchanged", { addon: name });
    return;
  }
  const metadata = { name, labels: { [labels.source]: builtinSource } };
  if (covers(present?.spec, spec)) return;
  const entry: AddonDefinition = { apiVersion, kind, metadata, spec };
  await act({ verb: "apply", target: `${kindId(AddonDefinition)} ${name}` }, () =>
    client.apply(AddonDefinition, entry, { fieldManager, signal }),
  );
}
