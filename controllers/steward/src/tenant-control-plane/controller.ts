import { DataStore, TenantControlPlane } from "@butler/api";
import { Pod } from "@butler/api-external";
import { type CacheReader, type ControllerDefinition, defineController, via } from "@butler/controller";
import {
  builtinKinds,
  type Kind,
  keyOf,
  keyText,
  type KubeObject,
  type ObjectKey,
  parseKeyText,
} from "@butler/resource";
import { etcdKinds } from "../data-store/index.ts";
import { Ingress, Service } from "../exposure/index.ts";
import type { TenantControlPlaneEffect } from "./effects.ts";
import { Deployment, NetworkPolicy, PodDisruptionBudget } from "./kinds.ts";
import { dataStoreFinalizer, ofSteward } from "./names.ts";
import {
  byControlPlane,
  byDataStore,
  byEtcd,
  byHost,
  controlPlaneOf,
  createObserve,
  dataStoreName,
  etcdKey,
  etcdOf,
  hostsOf,
} from "./observe.ts";
import type { Observed } from "./observed.ts";
import { performers } from "./perform.ts";
import { plan } from "./plan.ts";
import { defaultSettings, type TenantControlPlanePorts } from "./ports/tenant-control-plane-ports.ts";

export interface TenantControlPlaneControllerOptions {
  /** Kinds of exposure, beyond Ingress, that this cluster may serve. */
  readonly optionalKinds?: readonly Kind[];
  /** The default DataStore of control planes. */
  readonly defaultDataStore?: string;
}

/** The controller of hosted control planes. */
export type TenantControlPlaneController = ControllerDefinition<
  typeof TenantControlPlane,
  Observed,
  TenantControlPlaneEffect,
  TenantControlPlanePorts
>;

/** Reconciles hosted control planes. */
export function tenantControlPlaneController({
  optionalKinds = [],
  defaultDataStore = defaultSettings.defaultDataStore,
}: TenantControlPlaneControllerOptions = {}): TenantControlPlaneController {
  const exposureKinds = [Ingress, ...optionalKinds];
  const ownedKinds = [
    builtinKinds.Secret,
    builtinKinds.ConfigMap,
    Service,
    Deployment,
    PodDisruptionBudget,
    NetworkPolicy,
    etcdKinds.StatefulSet,
    ...exposureKinds,
  ];
  return defineController<typeof TenantControlPlane, Observed, TenantControlPlaneEffect, TenantControlPlanePorts>({
    name: "tenant-control-plane",
    primary: TenantControlPlane,
    owns: ownedKinds.map((kind) => ({ kind, scope: ofSteward })),
    watches: [
      via(Pod, controlPlanesOfPod, ofSteward),
      // A released host may unblock another control plane.
      via(TenantControlPlane, (tcp, read) =>
        hostsOf(tcp).flatMap((host) => read.byIndex(TenantControlPlane, byHost, host).map(keyOf)),
      ),
      via(DataStore, ({ metadata }, read) => read.byIndex(TenantControlPlane, byDataStore, metadata.name).map(keyOf)),
    ],
    indexes: [
      { kind: Pod, name: byControlPlane, of: controlPlaneOf },
      { kind: Pod, name: byEtcd, of: etcdOf },
      {
        kind: TenantControlPlane,
        name: byDataStore,
        of: (object) => [dataStoreName(object as TenantControlPlane, defaultDataStore)],
      },
      { kind: TenantControlPlane, name: byEtcd, of: (object) => [keyText(etcdKey(object as TenantControlPlane))] },
      { kind: TenantControlPlane, name: byHost, of: (object) => hostsOf(object as TenantControlPlane) },
    ],
    finalizer: dataStoreFinalizer,
    // A pass mostly waits for I/O, and one unhealthy store must not block the tenants of the others.
    concurrency: 16,
    observe: createObserve(exposureKinds),
    plan,
    perform: performers,
  });
}

/** The control planes of a pod, or of a dedicated etcd's member. */
function controlPlanesOfPod(pod: KubeObject, read: CacheReader): ObjectKey[] {
  const withEtcd = etcdOf(pod).flatMap((etcd) => read.byIndex(TenantControlPlane, byEtcd, etcd).map(keyOf));
  return [...controlPlaneOf(pod).map(parseKeyText), ...withEtcd];
}
