import type { DataStore } from "@butler/api";
import { restrictedContainer, restrictedPod } from "@butler/api-external";
import { apiVersionOf, type Kind, type KubeObject } from "@butler/resource";
import { parseQuantity } from "@butler/std";
import { componentLabel, projectLabels } from "../names.ts";
import { etcdSecretName, type EtcdSecretId } from "./etcd-certificates.ts";
import { etcdFlags, etcdPaths } from "./etcd-flags.ts";
import { etcdPorts, type EtcdPlace } from "./etcd-names.ts";
import { etcdKinds } from "./kinds.ts";
import { authoritiesAnnotation } from "./names.ts";

type Dedicated = NonNullable<DataStore["spec"]["dedicated"]>;

/** Settings of an etcd. */
export interface EtcdInput extends EtcdPlace {
  /** Additional labels of every object and pod. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly image: string;
  readonly storage: Dedicated["storage"];
  readonly resources?: Dedicated["resources"];
  /** Whether the volumes are deleted with the etcd. */
  readonly isDisposable: boolean;
  /** The cluster token, which separates the members from those of another etcd. */
  readonly token: string;
  /** A digest of the CA certificates, which etcd reads only at startup. It reloads other certificates. */
  readonly authoritiesDigest?: string | undefined;
}

/** The etcd version of kubeadm in the newest supported minor version. */
export const defaultEtcdImage = "registry.k8s.io/etcd:3.7.3-0";

/** Default resource requests of a dedicated etcd member. */
export const dedicatedResources: Dedicated["resources"] = { requests: { cpu: "100m", memory: "256Mi" } };

/** The user and group ID of etcd; it owns nothing outside its volume. */
const userId = 65_532;

/** The maximum database quota, regardless of the volume size: beyond it etcd starts too slowly. */
const largestQuota = 8n * 1024n ** 3n;

/** The quota that fits a volume: three quarters, because snapshots and the log need room too. */
export function quotaBytes(size: string | number): bigint {
  const share = ((parseQuantity(size) / 1_000_000_000n) * 3n) / 4n;
  return share < largestQuota ? share : largestQuota;
}

/** All objects of an etcd except its Secrets, in apply order. */
export function etcdObjects(input: EtcdInput): KubeObject[] {
  return [
    buildService(input),
    buildNetworkPolicy(input),
    // With one member a PodDisruptionBudget would block every drain.
    ...(input.members > 1 ? [buildDisruptionBudget(input)] : []),
    buildStatefulSet(input),
  ];
}

/** The pod selector. It must not match a control plane's Service, which would route clients here. */
function selectorOf({ name }: EtcdInput): Record<string, string> {
  return { "app.kubernetes.io/name": "etcd", "app.kubernetes.io/instance": name };
}

function objectOf(kind: Kind, input: EtcdInput, body: Readonly<Record<string, unknown>>): KubeObject {
  const { name, namespace } = input;
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, namespace, labels: labelsOf(input) },
    ...body,
  };
}

function labelsOf(input: EtcdInput): Record<string, string> {
  return { ...input.labels, ...selectorOf(input), ...projectLabels, [componentLabel]: "etcd" };
}

/** Gives each member a DNS name before it is ready: members need it to form the cluster. */
function buildService(input: EtcdInput): KubeObject {
  const port = (name: "client" | "peer") => ({ name, port: etcdPorts[name], targetPort: name, protocol: "TCP" });
  return objectOf(etcdKinds.Service, input, {
    spec: {
      type: "ClusterIP",
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: selectorOf(input),
      ports: [port("client"), port("peer")],
    },
  });
}

/** Clients and probes may connect from anywhere and are authenticated; peers only from the members themselves. */
function buildNetworkPolicy(input: EtcdInput): KubeObject {
  const port = (number: number) => ({ port: number, protocol: "TCP" });
  return objectOf(etcdKinds.NetworkPolicy, input, {
    spec: {
      podSelector: { matchLabels: selectorOf(input) },
      policyTypes: ["Ingress"],
      ingress: [
        { ports: [port(etcdPorts.client), port(etcdPorts.metrics)] },
        { from: [{ podSelector: { matchLabels: selectorOf(input) } }], ports: [port(etcdPorts.peer)] },
      ],
    },
  });
}

function buildDisruptionBudget(input: EtcdInput): KubeObject {
  return objectOf(etcdKinds.PodDisruptionBudget, input, {
    // An unready member must not block evictions, or a broken one could never be moved.
    spec: {
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: "AlwaysAllow",
      selector: { matchLabels: selectorOf(input) },
    },
  });
}

function buildStatefulSet(input: EtcdInput): KubeObject {
  const { name, members, storage, isDisposable, authoritiesDigest } = input;
  const annotations = authoritiesDigest && { [authoritiesAnnotation]: authoritiesDigest };
  return objectOf(etcdKinds.StatefulSet, input, {
    spec: {
      serviceName: name,
      replicas: members,
      // Members wait for each other: ordered startup would deadlock.
      podManagementPolicy: "Parallel",
      selector: { matchLabels: selectorOf(input) },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: isDisposable ? "Delete" : "Retain", whenScaled: "Retain" },
      template: {
        metadata: { labels: labelsOf(input), ...(annotations ? { annotations } : {}) },
        spec: buildPodSpec(input),
      },
      volumeClaimTemplates: [
        {
          metadata: { name: "data", labels: selectorOf(input) },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: String(storage.size) } },
            ...(storage.storageClassName === undefined ? {} : { storageClassName: storage.storageClassName }),
          },
        },
      ],
    },
  });
}

function buildPodSpec(input: EtcdInput): Readonly<Record<string, unknown>> {
  const spread = (topologyKey: string) => ({
    topologyKey,
    maxSkew: 1,
    // A cluster with one node should still get an etcd.
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels: selectorOf(input) },
  });
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    securityContext: { ...restrictedPod(userId), fsGroup: userId, fsGroupChangePolicy: "OnRootMismatch" },
    ...(input.members > 1
      ? { topologySpreadConstraints: [spread("kubernetes.io/hostname"), spread("topology.kubernetes.io/zone")] }
      : {}),
    containers: [buildContainer(input)],
    volumes: [
      certificateVolume(input, { volume: "client-certificates", authority: "ca", certificate: "server" }),
      certificateVolume(input, { volume: "peer-certificates", authority: "peerCA", certificate: "peer" }),
    ],
  };
}

function buildContainer(input: EtcdInput): Readonly<Record<string, unknown>> {
  const probe = (path: string, limits: Readonly<Record<string, number>>) => ({
    httpGet: { path, port: "metrics", scheme: "HTTP" },
    timeoutSeconds: 10,
    ...limits,
  });
  const flags = Object.entries(etcdFlags({ ...input, quota: quotaBytes(input.storage.size) }));
  return {
    name: "etcd",
    image: input.image,
    imagePullPolicy: "IfNotPresent",
    command: ["etcd"],
    args: flags.map(([flag, value]) => `--${flag}=${value}`),
    env: [{ name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
    ports: Object.entries(etcdPorts).map(([name, containerPort]) => ({ name, containerPort, protocol: "TCP" })),
    resources: input.resources ?? dedicatedResources,
    securityContext: restrictedContainer(),
    // Probed every second until it serves, so that startup is noticed at once; for five minutes at most.
    startupProbe: probe("/livez", { periodSeconds: 1, failureThreshold: 300 }),
    readinessProbe: probe("/readyz", { periodSeconds: 5, failureThreshold: 3 }),
    livenessProbe: probe("/livez", { periodSeconds: 10, failureThreshold: 8 }),
    volumeMounts: [
      { name: "data", mountPath: etcdPaths.volume },
      { name: "client-certificates", mountPath: etcdPaths.client, readOnly: true },
      { name: "peer-certificates", mountPath: etcdPaths.peer, readOnly: true },
    ],
  };
}

interface CertificateVolume {
  readonly volume: string;
  readonly authority: EtcdSecretId;
  readonly certificate: EtcdSecretId;
}

/** A certificate with its key, and only the certificate of its CA: the CA key must not be in a pod. */
function certificateVolume(input: EtcdInput, { volume, authority, certificate }: CertificateVolume) {
  const source = (id: EtcdSecretId, keys: readonly string[]) => ({
    secret: { name: etcdSecretName(input, id), items: keys.map((key) => ({ key, path: key })) },
  });
  const sources = [source(authority, ["ca.crt"]), source(certificate, ["tls.crt", "tls.key"])];
  return { name: volume, projected: { defaultMode: 0o440, sources } };
}
