import { clusterLabels, labels, TenantAddon, type TenantCluster } from "@butler/api";
import type { Observed } from "../observed.ts";
import type { Member } from "./member.ts";

/** The name of the TenantAddon by which a cluster has an add-on. */
export function addonName({ metadata }: TenantCluster, addon: string): string {
  return `${metadata.name}-${addon}`;
}

/**
 * A TenantAddon as far as the cluster decides it; everything else is people's. The version is written down when it is
 * made, so that neither a new catalogue nor new settings of the platform upgrade anything; later it changes only when the
 * cluster's spec says so. One that people made with a chart of their own keeps its chart.
 */
export function addonObject(
  observed: Pick<Observed, "cluster" | "addons">,
  { wanted, name, found }: Omit<Member, "obstacle">,
  members: readonly Pick<Member, "wanted" | "name">[],
): TenantAddon {
  const { cluster } = observed;
  const version = wanted.slotVersion ?? (found === undefined ? wanted.version : found.spec.version);
  const chosen = found?.spec.helm === undefined ? { addon: wanted.name, ...(version ? { version } : {}) } : {};
  const dependsOn = dependenciesOf(observed, { wanted, found }, members);
  return {
    apiVersion: TenantAddon.apiVersion,
    kind: TenantAddon.kind,
    metadata: {
      name,
      namespace: cluster.metadata.namespace,
      labels: { ...clusterLabels(cluster), [labels.baseline]: "true" },
      // Kubernetes knows one controller for each object; whose it is already, it stays.
      ...(isAnothers(found, cluster) ? { ownerReferences: [] } : {}),
    },
    spec: {
      clusterRef: { name: cluster.metadata.name },
      ...chosen,
      ...(dependsOn.length === 0 ? {} : { dependsOn: dependsOn.map((each) => ({ name: each })) }),
      // What is not stated here has its default when the object is made, and whatever people choose afterwards.
    } as TenantAddon["spec"],
  };
}

/** What the cluster says, and what people added that is no part of the baseline. */
function dependenciesOf(
  { addons }: Pick<Observed, "addons">,
  { wanted, found }: Pick<Member, "wanted" | "found">,
  members: readonly Pick<Member, "wanted" | "name">[],
): readonly string[] {
  const ours = members.filter((member) => wanted.dependsOn.includes(member.wanted.name)).map((member) => member.name);
  const theirs = (found?.spec.dependsOn ?? [])
    .map(({ name }) => name)
    .filter((name) =>
      addons.some(({ metadata }) => metadata.name === name && metadata.labels?.[labels.baseline] !== "true"),
    );
  return [...new Set([...ours, ...theirs])];
}

function isAnothers(found: TenantAddon | undefined, { metadata }: TenantCluster): boolean {
  const owner = found?.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner !== undefined && owner.uid !== metadata.uid;
}
