import { upgradeFaults } from "@butler/addons";
import { AddonDefinition, TenantAddon, type TenantCluster } from "@butler/api";
import { denied, listServed } from "@butler/controller";
import type { Denial, KubeClient } from "@butler/kube";
import type { TenantClusterFacts, TenantClusterInput } from "./input.ts";
import { versionOf } from "./restrictions.ts";

/** Rejects an upgrade while an installed add-on does not support the new version: the upgrade would break it. */
export function upgradeDenials({ cluster, before, facts: { addons, definitions } }: TenantClusterInput): Denial[] {
  if (!isUpgrade(cluster, before)) return [];
  return upgradeFaults({ addons, definitions, target: versionOf(cluster) }).flatMap(({ addon, message }) =>
    denied("UNSUPPORTED", "spec.kubernetesVersion", `${message}; upgrade or remove TenantAddon ${addon} first`),
  );
}

function isUpgrade(cluster: TenantCluster, before: TenantCluster | undefined): boolean {
  return before !== undefined && versionOf(before) !== versionOf(cluster);
}

/** Reads the facts for validating an upgrade; empty for other changes. */
export async function readUpgradeFacts(
  client: Pick<KubeClient, "list">,
  { cluster, before }: Pick<TenantClusterInput, "cluster" | "before">,
  signal: AbortSignal,
): Promise<Pick<TenantClusterFacts, "addons" | "definitions">> {
  if (!isUpgrade(cluster, before)) return { addons: [], definitions: [] };
  const { name, namespace } = cluster.metadata;
  const [addons, definitions] = await Promise.all([
    listServed(client, TenantAddon, { namespace, signal }),
    listServed(client, AddonDefinition, { signal }),
  ]);
  return { addons: addons.filter(({ spec }) => spec.clusterRef.name === name), definitions };
}
