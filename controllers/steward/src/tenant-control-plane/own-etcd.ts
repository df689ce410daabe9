import type { DataStore, TenantControlPlane } from "@butler/api";
import { digestOf } from "@butler/controller";
import type { KubeObject } from "@butler/resource";
import { dedicatedEtcdName, defaultEtcdImage, type EtcdPlace, etcdObjects } from "../data-store/index.ts";
import type { Observed } from "./observed.ts";
import type { SecretsPlan } from "./plan-secrets.ts";
import { textIn } from "./secrets/secret-data.ts";

/** Settings of a dedicated etcd. */
export type OwnEtcdSettings = NonNullable<DataStore["spec"]["dedicated"]>;

const upstreamRegistry = "registry.k8s.io/";

/** The place of a dedicated etcd. */
export function ownEtcdPlace({ metadata }: TenantControlPlane, { members }: OwnEtcdSettings): EtcdPlace {
  return { name: dedicatedEtcdName(metadata), namespace: metadata.namespace ?? "", members };
}

/** The objects of a dedicated etcd, once its keys exist; none for a shared store. */
export function ownEtcdObjects(observed: Observed, { orders, blocker }: SecretsPlan): KubeObject[] {
  const { tcp, store, secrets } = observed;
  const dedicated = store.found?.dedicated;
  const isMissingKeys = orders.some(({ blueprint }) => blueprint.id.startsWith("etcd"));
  if (dedicated === undefined || isMissingKeys || blocker !== undefined) return [];
  const authorities = [secrets.etcdCA, secrets.etcdPeerCA].map((seen) => textIn(seen?.data ?? {}, "ca.crt"));
  const { registry } = tcp.spec.controlPlane.deployment.registrySettings;
  return etcdObjects({
    ...ownEtcdPlace(tcp, dedicated),
    image: defaultEtcdImage.replace(upstreamRegistry, `${registry}/`),
    storage: dedicated.storage,
    resources: dedicated.resources,
    // It holds only this control plane, so its volumes are deleted with it.
    isDisposable: true,
    token: tcp.metadata.uid ?? "",
    authoritiesDigest: digestOf(authorities),
  });
}
