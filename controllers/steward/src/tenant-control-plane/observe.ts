import { DataStore, TenantControlPlane } from "@butler/api";
import { Pod } from "@butler/api-external";
import type { CacheReader, ObserveContext } from "@butler/controller";
import {
  builtinKinds,
  findCondition,
  type Kind,
  keyOf,
  keyText,
  type KubeObject,
  type ObjectKey,
} from "@butler/resource";
import { claimedHostOf, hostnameConflict, Service } from "../exposure/index.ts";
import { dedicatedEtcdName, etcdEndpoints, etcdKinds } from "../data-store/index.ts";
import { Deployment, type DeploymentCounts } from "./kinds.ts";
import { dataStoreAnnotation, nameLabel, rotateAnnotation } from "./names.ts";
import type { Observed, SeenSecret, SeenStore } from "./observed.ts";
import { type OwnEtcdSettings, ownEtcdPlace } from "./own-etcd.ts";
import { blockerOfPods } from "./blocker-of-pods.ts";
import { dataOf } from "./ports/secret-vault.ts";
import type { TenantControlPlanePorts } from "./ports/tenant-control-plane-ports.ts";
import { type SecretId, secretIds, secretName } from "./secrets/secret-names.ts";

/** Index of pods by their control plane. */
export const byControlPlane = "tenant-control-plane";
/** Index of control planes by their DataStore. */
export const byDataStore = "tenant-control-plane/data-store";
/** Index of control planes by their hostname. */
export const byHost = "tenant-control-plane/host";

/** Index of pods by their etcd, and of control planes by the name of their dedicated etcd. */
export const byEtcd = "tenant-control-plane/etcd";

/** The etcd that a pod is labelled as a member of. */
export function etcdOf({ metadata }: KubeObject): string[] {
  const name = metadata.labels?.["app.kubernetes.io/instance"];
  return name === undefined ? [] : [keyText({ name, namespace: metadata.namespace })];
}

/** The hostname that a control plane claims, if any. */
export function hostsOf(tcp: TenantControlPlane): string[] {
  const host = claimedHostOf(tcp);
  return host === undefined ? [] : [host];
}

/** The control plane that an object is labelled with. */
export function controlPlaneOf({ metadata }: KubeObject): string[] {
  const name = metadata.labels?.[nameLabel];
  return name === undefined ? [] : [keyText({ name, namespace: metadata.namespace })];
}

type Context = ObserveContext<typeof TenantControlPlane, TenantControlPlanePorts>;

/** Reads what the plan needs. */
export function createObserve(exposureKinds: readonly Kind[]): (context: Context) => Promise<Observed> {
  return async ({ primary, read, ports, signal }) => {
    const key = keyOf(primary);
    const { uid = "" } = primary.metadata;
    const servedKinds = exposureKinds.filter((kind) => read.isServed(kind));
    return {
      tcp: primary,
      settings: ports.settings,
      secrets: secretsOf(primary, read),
      service: read.get(Service, key),
      deployment: read.get(Deployment, key) as Deployment | undefined,
      pods: read.byIndex(Pod, byControlPlane, keyText(key)) as unknown as Pod[],
      store: await storeOf(primary, { read, ports, signal }),
      identity: ports.identityOf(uid),
      hostConflict: hostConflictOf(primary, read),
      servedKinds,
      exposedBy: servedKinds.flatMap((kind) => {
        const object = read.get(kind, key) as KubeObject | undefined;
        return object !== undefined && isOwnedBy(object, uid) ? [{ kind, object }] : [];
      }),
      keptAs: ports.tenants.digestOf(uid),
      hasOwnEtcd: read.get(etcdKinds.StatefulSet, etcdKey(primary)) !== undefined,
      isStoreClean: ports.cleanedStores.has(uid),
    };
  };
}

/** The place of a control plane's dedicated etcd, whether or not it exists. */
export function etcdKey({ metadata }: TenantControlPlane): ObjectKey {
  return { name: dedicatedEtcdName(metadata), namespace: metadata.namespace };
}

function isOwnedBy({ metadata }: KubeObject, uid: string): boolean {
  return metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
}

function secretsOf({ metadata }: TenantControlPlane, read: CacheReader): Observed["secrets"] {
  const seen: Partial<Record<SecretId, SeenSecret>> = {};
  for (const id of secretIds) {
    const key = { name: secretName(metadata, id), namespace: metadata.namespace };
    const secret = read.get(builtinKinds.Secret, key);
    if (secret === undefined) continue;
    const { annotations, labels = {}, ownerReferences = [], resourceVersion = "" } = secret.metadata;
    const isOwn = isOwnedBy(secret, metadata.uid ?? "");
    seen[id] = {
      resourceVersion,
      labels,
      data: dataOf(secret),
      ownership: isOwn ? "own" : ownerReferences.length === 0 ? "none" : "other",
      isRotationWanted: annotations?.[rotateAnnotation] === "",
      dataStore: annotations?.[dataStoreAnnotation],
    };
  }
  return seen;
}

/** The name of a control plane's DataStore. */
export function dataStoreName({ spec }: TenantControlPlane, defaultDataStore: string): string {
  return spec.dataStore === undefined || spec.dataStore === "" ? defaultDataStore : spec.dataStore;
}

async function storeOf(
  tcp: TenantControlPlane,
  { read, ports, signal }: Pick<Context, "read" | "ports" | "signal">,
): Promise<SeenStore> {
  const name = dataStoreName(tcp, ports.settings.defaultDataStore);
  const dataStore = read.get(DataStore, { name });
  if (dataStore === undefined) return { name };
  const ready = findCondition(dataStore.status?.conditions, "Ready");
  const blocker = ready?.status === "False" ? { reason: ready.reason, message: ready.message } : undefined;
  const { driver, endpoints = [], dedicated } = dataStore.spec;
  if (dedicated !== undefined) return { name, found: ownStoreOf(tcp, { driver, dedicated, blocker, read }) };
  return { name, found: { driver, endpoints, blocker, authority: await authorityOf(name, ports, signal) } };
}

interface OwnStoreInput extends Pick<NonNullable<SeenStore["found"]>, "driver" | "blocker"> {
  readonly dedicated: OwnEtcdSettings;
  readonly read: CacheReader;
}

function ownStoreOf(
  tcp: TenantControlPlane,
  { driver, dedicated, blocker, read }: OwnStoreInput,
): NonNullable<SeenStore["found"]> {
  const place = ownEtcdPlace(tcp, dedicated);
  const { readyReplicas = 0 } = (read.get(etcdKinds.StatefulSet, place)?.["status"] ?? {}) as DeploymentCounts;
  const isUp = readyReplicas > place.members / 2;
  const members = read.byIndex(Pod, byEtcd, keyText(place)) as unknown as Pod[];
  const why = blockerOfPods(members)?.message;
  const message = `dedicated etcd: ${readyReplicas}/${place.members} members ready`;
  const text = why === undefined ? message : `${message}; ${why}`;
  const starting = isUp ? undefined : { reason: "EtcdStarting", message: text };
  return { driver, endpoints: etcdEndpoints(place), dedicated, blocker: blocker ?? starting };
}

/** A store whose Secrets cannot be read now does not invalidate the certificates issued for it. */
async function authorityOf(
  dataStore: string,
  { stores }: TenantControlPlanePorts,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await stores.authority(dataStore, signal)).cert;
  } catch (error) {
    signal.throwIfAborted();
    void error;
    return undefined;
  }
}

function hostConflictOf(tcp: TenantControlPlane, read: CacheReader): string | undefined {
  const [host] = hostsOf(tcp);
  return host === undefined ? undefined : hostnameConflict(tcp, read.byIndex(TenantControlPlane, byHost, host));
}
