import { ButlerConfig, butlerConfigName, ProviderConfig, Team, TenantCluster } from "@butler/api";
import { type CacheReader, defineController, via } from "@butler/controller";
import { builtinKinds, type ObjectKey } from "@butler/resource";
import { butlerConfigControllerName } from "./names.ts";
import { observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";

const theOne: readonly ObjectKey[] = [{ name: butlerConfigName }];

/** Creates the namespace of clusters without a team, counts teams and clusters, and reports inconsistent settings. */
export const butlerConfigController = defineController<typeof ButlerConfig, Observed>({
  name: butlerConfigControllerName,
  primary: ButlerConfig,
  owns: [{ kind: builtinKinds.Namespace }],
  watches: [
    // The namespace has no owner reference: clusters in it must outlive the settings.
    via(builtinKinds.Namespace, ({ metadata }, read) => (isDefaultNamespace(metadata.name, read) ? theOne : [])),
    via(Team, () => theOne),
    via(TenantCluster, () => theOne),
    via(ProviderConfig, () => theOne),
  ],
  observe,
  plan,
  perform: {},
});

function isDefaultNamespace(name: string, read: CacheReader): boolean {
  return read.get(ButlerConfig, { name: butlerConfigName })?.spec.defaultNamespace === name;
}
