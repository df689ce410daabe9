import type { ObjectKey } from "@butler/resource";
import type { ButlerConfig } from "./butler-config.ts";
import type { Team } from "./team.ts";
import type { TenantCluster } from "./tenant-cluster.ts";
import { labels, managedByButler, namespaces } from "./well-known.ts";

/** The ProviderConfig of a cluster: its own, else that of its team, else that of the platform. */
export function providerKeyOf(
  { spec }: TenantCluster,
  { team, config }: { readonly team: Team | undefined; readonly config: ButlerConfig | undefined },
): ObjectKey | undefined {
  const { system } = namespaces;
  if (spec.providerConfigRef !== undefined) {
    return { name: spec.providerConfigRef.name, namespace: spec.providerConfigRef.namespace || system };
  }
  const reference = team?.spec.providerConfigRef ?? config?.spec.defaultProviderConfigRef;
  return reference && { name: reference.name, namespace: system };
}

/** Labels of all objects that Butler creates for a cluster, which identify the cluster. */
export function clusterLabels({ metadata, spec }: TenantCluster): Record<string, string> {
  const { name, namespace = "" } = metadata;
  const environment = metadata.labels?.[labels.environment];
  return {
    [labels.managedBy]: managedByButler,
    [labels.tenant]: name,
    [labels.sourceNamespace]: namespace,
    [labels.sourceName]: name,
    ...(spec.teamRef === undefined ? {} : { [labels.team]: spec.teamRef.name }),
    ...(environment === undefined ? {} : { [labels.environment]: environment }),
  };
}
