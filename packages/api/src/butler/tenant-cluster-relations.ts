import type { ObjectKey } from "@butler/resource";
import type { ButlerConfig } from "./butler-config.ts";
import type { Team } from "./team.ts";
import type { TenantCluster } from "./tenant-cluster.ts";
import { labels, managedByButler, namespaces } from "./well-known.ts";

/** The ProviderConfig that a cluster's machines come from: its own choice, its team's, and else the platform's. */
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

/** What everything that Butler makes for a cluster carries: by these labels it is found, and leads back to the cluster. */
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
