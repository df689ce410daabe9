import type { TenantControlPlane } from "@butler/api";
import { digestOf } from "@butler/controller";
import type { DynamicObject } from "@butler/resource";
import { endpointText } from "@butler/std";
import type { AnnouncedEndpoint } from "../exposure/index.ts";
import { TLSRoute } from "../exposure/kinds.ts";
import type { Facts } from "./facts.ts";
import type { DeploymentCounts } from "./kinds.ts";
import type { Observed } from "./observed.ts";
import { podSelectorText } from "./render/workload.ts";
import { type SecretId, secretName } from "./secrets/secret-names.ts";

type Status = NonNullable<TenantControlPlane["status"]>;
type Entry = NonNullable<NonNullable<Status["certificates"]>["ca"]>;

/** The status of a control plane, except its conditions. */
export function statusOf(observed: Observed, facts: Facts): Record<string, unknown> {
  return {
    controlPlaneEndpoint: facts.endpoint.kind === "known" ? endpointText(facts.endpoint) : undefined,
    storage: storageOf(observed, facts),
    certificates: certificatesOf(observed, facts),
    kubeconfig: kubeconfigOf(observed, facts),
    kubernetesResources: resourcesOf(observed, facts),
    ...insideOf(observed, facts),
  };
}

function storageOf(observed: Observed, facts: Facts): object {
  const { tcp, identity, store } = observed;
  const before = tcp.status?.storage ?? {};
  const checksum = digestOf({ store: store.name, ...identity });
  const lastUpdate = updateTime(before.setup, checksum, facts.now);
  const hasPlace = facts.secrets.verdicts.dataStore !== undefined;
  return {
    driver: store.found?.driver,
    dataStoreName: store.name,
    setup: hasPlace ? { schema: identity.prefix, user: identity.user, checksum, lastUpdate } : before.setup,
    certificate: secretEntry(observed, facts, { id: "dataStore", earlier: before.certificate }),
  };
}

function certificatesOf(observed: Observed, facts: Facts): object {
  const before = observed.tcp.status?.certificates ?? {};
  const entry = (id: Exclude<keyof typeof before, "etcd">): Entry | undefined =>
    secretEntry(observed, facts, { id, earlier: before[id] });
  return {
    ca: entry("ca"),
    apiServer: entry("apiServer"),
    apiServerKubeletClient: entry("apiServerKubeletClient"),
    frontProxyCA: entry("frontProxyCA"),
    frontProxyClient: entry("frontProxyClient"),
    sa: entry("sa"),
    etcd: ownEtcdEntries(observed, facts),
  };
}

function kubeconfigOf(observed: Observed, facts: Facts): object {
  const before = observed.tcp.status?.kubeconfig ?? {};
  const entry = (id: keyof typeof before): Entry | undefined =>
    secretEntry(observed, facts, { id, earlier: before[id] });
  return {
    admin: entry("admin"),
    controllerManager: entry("controllerManager"),
    scheduler: entry("scheduler"),
  };
}

function secretEntry(
  { tcp, secrets }: Observed,
  { secrets: plan, now }: Facts,
  { id, earlier }: { id: SecretId; earlier: Entry | undefined },
): Entry | undefined {
  const seen = secrets[id];
  if (seen === undefined) return undefined;
  const checksum = digestOf(seen.data);
  const notAfter = plan.verdicts[id]?.notAfter;
  return {
    secretName: secretName(tcp.metadata, id),
    checksum,
    lastUpdate: updateTime(earlier, checksum, now),
    ...(notAfter === undefined ? {} : { notAfter: timeText(notAfter) }),
  };
}

/** The certificates of a dedicated etcd, by the same names. */
function ownEtcdEntries(observed: Observed, facts: Facts): Record<string, unknown> | undefined {
  if (observed.store.found?.dedicated === undefined) return undefined;
  const before = (observed.tcp.status?.certificates?.etcd ?? {}) as Record<string, Entry | undefined>;
  const entry = (id: SecretId, name: string): object => {
    return { [name]: secretEntry(observed, facts, { id, earlier: before[name] }) };
  };
  return {
    ...entry("etcdCA", "ca"),
    ...entry("etcdPeerCA", "peerCA"),
    ...entry("etcdServer", "server"),
    ...entry("etcdPeer", "peer"),
    ...entry("etcdRoot", "root"),
  };
}

/** The time of the last change: now when the content differs from the reported one. */
function updateTime(
  before: { checksum?: string | undefined; lastUpdate?: string | undefined } | undefined,
  checksum: string,
  now: Date,
): string {
  return before?.checksum === checksum && before.lastUpdate !== undefined ? before.lastUpdate : timeText(now);
}

function timeText(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, "Z");
}

function resourcesOf(observed: Observed, { rollout, deployment, endpoint }: Facts): object {
  const { name, namespace } = observed.tcp.metadata;
  const { phase, installedVersion } = rollout;
  const isMade = deployment !== undefined || observed.deployment !== undefined;
  const service = observed.service as DynamicObject | undefined;
  return {
    version: { version: installedVersion, status: phase },
    deployment: isMade
      ? { name, namespace, selector: podSelectorText(name), ...countsOf(observed, installedVersion !== undefined) }
      : undefined,
    service: service && { name, namespace, port: observed.tcp.spec.networkProfile.port, ...balancerOf(service) },
    ...entrancesOf(observed, endpoint),
  };
}

/** The Ingress or gateway in front of the Service, by its field in the status. */
function entrancesOf({ tcp, exposedBy }: Observed, endpoint: AnnouncedEndpoint): object {
  const { name, namespace } = tcp.metadata;
  const [entrance] = exposedBy;
  if (entrance === undefined) return {};
  const { kind, object } = entrance;
  if (kind.kind !== TLSRoute.kind) return { ingress: { name, namespace, ...balancerOf(object as DynamicObject) } };
  if (endpoint.kind === "waiting") return { gateway: { routeRef: { name } } };
  const { host, port } = endpoint;
  const urls = [`https://${endpointText(endpoint)}`];
  return { gateway: { routeRef: { name }, accessPoints: [{ type: "Hostname", value: host, port, urls }] } };
}

/** Pods are not counted during the first rollout: each step would be a status write. */
function countsOf({ deployment }: Observed, isInstalled: boolean): DeploymentCounts {
  if (!isInstalled || deployment?.status === undefined) return {};
  const { observedGeneration, replicas, updatedReplicas, readyReplicas, availableReplicas, unavailableReplicas } =
    deployment.status;
  return { observedGeneration, replicas, updatedReplicas, readyReplicas, availableReplicas, unavailableReplicas };
}

function balancerOf(service: DynamicObject): object {
  const { loadBalancer } = (service["status"] ?? {}) as { loadBalancer?: { ingress?: unknown } };
  return loadBalancer?.ingress === undefined ? {} : { loadBalancer };
}

function insideOf({ tcp, keptAs }: Observed, { tenant, now }: Facts): object {
  const before = tcp.status ?? {};
  const isKept = tenant.wanted !== undefined && keptAs === tenant.wanted.digest;
  if (!isKept) return { kubeadmPhase: before.kubeadmPhase, addons: before.addons };
  const { coreDNS, kubeProxy } = tcp.spec.addons;
  const addon = (
    isOn: boolean,
    earlier: { enabled?: boolean | undefined; lastUpdate?: string | undefined } | undefined,
  ): object | undefined => {
    if (!isOn && earlier === undefined) return undefined;
    return { enabled: isOn, lastUpdate: earlier?.enabled === isOn ? earlier.lastUpdate : timeText(now) };
  };
  const checksum = digestOf(tenant.wanted.objects);
  return {
    kubeadmPhase: {
      bootstrapToken: { checksum, lastUpdate: updateTime(before.kubeadmPhase?.bootstrapToken, checksum, now) },
    },
    addons: {
      coreDNS: addon(coreDNS !== undefined, before.addons?.coreDNS),
      kubeProxy: addon(kubeProxy !== undefined, before.addons?.kubeProxy),
    },
  };
}
