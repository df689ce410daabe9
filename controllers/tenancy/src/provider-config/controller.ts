import { credentialsKeyOf } from "@butler/access";
import { ButlerConfig, finalizers, NetworkPool, ProviderConfig, Team, TenantCluster } from "@butler/api";
import { type CacheReader, defineController, via } from "@butler/controller";
import { builtinKinds, isBeingDeleted, keyOf, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import { poolKeysOf } from "./capacity.ts";
import { observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";
import type { ProviderConfigPorts } from "./ports.ts";

const bySecret = "credentials-secret";
const byPool = "network-pool";
const byTeam = "scope-team";

/** Validates credentials, scope and addresses of ProviderConfigs, and blocks their deletion while clusters use them. */
export const providerConfigController = defineController<typeof ProviderConfig, Observed, never, ProviderConfigPorts>({
  name: "provider-config",
  primary: ProviderConfig,
  watches: [
    // A change notification is enough: credentials need not be kept in memory.
    via(builtinKinds.Secret, (secret, read) => named(read, bySecret, keyText(keyOf(secret))), { metadataOnly: true }),
    via(NetworkPool, (pool, read) => named(read, byPool, keyText(keyOf(pool)))),
    via(Team, ({ metadata }, read) => [...named(read, byTeam, metadata.name), ...leaving(read)]),
    via(TenantCluster, (_cluster, read) => leaving(read)),
    via(ButlerConfig, (_config, read) => [...leaving(read), ...local(read)]),
  ],
  indexes: [
    { kind: ProviderConfig, name: bySecret, of: (object) => textsOf(credentialsKeyOf(object as ProviderConfig)) },
    { kind: ProviderConfig, name: byPool, of: (object) => poolKeysOf(object as ProviderConfig).map(keyText) },
    { kind: ProviderConfig, name: byTeam, of: teamOf },
  ],
  finalizer: finalizers.providerConfig,
  observe,
  plan,
  perform: {},
});

/** Only a ProviderConfig that is being deleted depends on clusters. */
function leaving(read: CacheReader): ObjectKey[] {
  return read.list(ProviderConfig).filter(isBeingDeleted).map(keyOf);
}

/** The images of local machines depend on the settings of the platform. */
function local(read: CacheReader): ObjectKey[] {
  return read
    .list(ProviderConfig)
    .filter(({ spec }) => spec.provider === "local")
    .map(keyOf);
}

function named(read: CacheReader, index: string, value: string): ObjectKey[] {
  return read.byIndex(ProviderConfig, index, value).map(keyOf);
}

function teamOf(object: KubeObject): string[] {
  const { teamRef } = (object as ProviderConfig).spec.scope ?? {};
  return teamRef === undefined ? [] : [teamRef.name];
}

function textsOf(key: ObjectKey | undefined): string[] {
  return key === undefined ? [] : [keyText(key)];
}
