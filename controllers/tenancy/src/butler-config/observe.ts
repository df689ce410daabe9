import { type ButlerConfig, namespaces, ProviderConfig, Team, TenantCluster } from "@butler/api";
import type { ObserveContext } from "@butler/controller";
import { builtinKinds } from "@butler/resource";
import type { Observed } from "./plan.ts";

/** Reads the input of the plan. */
export function observe({ primary, read }: ObserveContext<typeof ButlerConfig, object>): Observed {
  const { defaultNamespace, defaultProviderConfigRef: reference } = primary.spec;
  return {
    config: primary,
    teamCount: read.list(Team).length,
    clusters: read.list(TenantCluster),
    namespace: read.get(builtinKinds.Namespace, { name: defaultNamespace }),
    provider: reference && read.get(ProviderConfig, { name: reference.name, namespace: namespaces.system }),
  };
}
