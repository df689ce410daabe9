import { StewardControlPlane, TenantControlPlane } from "@butler/api";
import { Cluster } from "@butler/api-external";
import { type CacheReader, defineController, via } from "@butler/controller";
import { builtinKinds, keyOf, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import { nameLabel, ofSteward } from "../names.ts";
import { infrastructurePermissions } from "./infrastructure-kinds.ts";
import { clusterIndexValues } from "./membership.ts";
import { observe } from "./observe.ts";
import { type ControlPlaneEffect, type Observed, plan } from "./plan.ts";
import type { ControlPlaneProviderPorts } from "./ports/control-plane-provider-ports.ts";

const byCluster = "cluster";

/** Provides Cluster API Clusters with control planes that are TenantControlPlanes. */
export const stewardControlPlaneController = defineController<
  typeof StewardControlPlane,
  Observed,
  ControlPlaneEffect,
  ControlPlaneProviderPorts
>({
  name: "steward-control-plane",
  primary: StewardControlPlane,
  owns: [{ kind: TenantControlPlane }, { kind: builtinKinds.Secret, scope: ofSteward }],
  watches: [
    via(Cluster, controlPlanesOf),
    // A TenantControlPlane of another owner blocks this one; its deletion must trigger a reconcile although we do not
    // own it.
    via(TenantControlPlane, (tenant) => [keyOf(tenant)]),
    via(builtinKinds.Secret, controlPlaneOfSecret, ofSteward),
  ],
  indexes: [{ kind: StewardControlPlane, name: byCluster, of: clusterIndexValues }],
  permissions: infrastructurePermissions,
  finalizer: "stewardcontrolplane.controlplane.cluster.x-k8s.io",
  observe,
  plan,
  perform: {
    setEndpoint: (effect, { setEndpoint }, signal) => setEndpoint(effect, signal),
    announceEndpoint: (effect, { infrastructure }, signal) => infrastructure.announce(effect, signal),
  },
});

function controlPlanesOf(cluster: KubeObject, read: CacheReader): ObjectKey[] {
  return read.byIndex(StewardControlPlane, byCluster, keyText(keyOf(cluster))).map(keyOf);
}

/** A TenantControlPlane has the name of its control plane, and so have all objects labelled with it. */
function controlPlaneOfSecret({ metadata }: KubeObject): ObjectKey[] {
  const name = metadata.labels?.[nameLabel];
  return name === undefined ? [] : [{ name, namespace: metadata.namespace }];
}
