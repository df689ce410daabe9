import { clusterLabels, labels, TenantAddon, type TenantCluster } from "@butler/api";
import type { Observed } from "../observed.ts";
import type { Member } from "./member.ts";

/** The name of a cluster's TenantAddon for an add-on. */
export function addonName({ metadata }: TenantCluster, addon: string): string {
  return `${metadata.name}-${addon}`;
}

/**
 * A TenantAddon with the fields that the cluster owns; users own all others. The version is set when it is
 * created, so that neither a new catalog nor new platform settings upgrade anything; later it changes only when the
 * cluster's spec does. A TenantAddon that users created with a custom chart keeps its chart.
 */
export function addonObject(
  observed: Pick<Observed, "cluster" | "addons">,
  { wanted, name, found }: Omit<Member, "blocker">,
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
      // An object has only one controller reference; an existing one is kept.
      ...(isAnothers(found, cluster) ? { ownerReferences: [] } : {}),
    },
    spec: {
      clusterRef: { name: cluster.metadata.name },
      ...chosen,
      ...(dependsOn.length === 0 ? {} : { dependsOn: dependsOn.map((each) => ({ name: each })) }),
      // Fields not stated here are defaulted on create and belong to users afterwards.
    } as TenantAddon["spec"],
  };
}

/** The cluster's dependencies, and those that users added outside the baseline. */
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
