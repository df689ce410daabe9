import type { TenantControlPlane } from "@butler/api";
import type { ContainerShape, NamedThing } from "../kinds.ts";
import {
  authenticationDirectory,
  authenticationFile,
  flexVolumeDirectory,
  kubeconfigDirectory,
  pkiFile,
  readOnlyMount,
} from "./files.ts";
import type { Flags } from "./flags.ts";

/** The input of the flags besides the spec. */
export interface ComponentInput {
  readonly tcp: TenantControlPlane;
  /** The advertised address of the API server. */
  readonly advertiseAddress: string;
  readonly store: {
    /** `host:port` of each member. */
    readonly endpoints: readonly string[];
    /** The prefix of the control plane's keys; ends with a slash. */
    readonly prefix: string;
  };
  readonly hasAuthentication: boolean;
}

/**
 * How long an API server keeps serving after SIGTERM: until then every proxy has removed it, so no new request hits a
 * closed port. Clients with an open connection are rejected for a few milliseconds after that. With
 * shutdown-send-retry-after it would be until all watches have ended, and the time to wait five seconds instead of one.
 */
export const shutdownDelaySeconds = 5;

/** The flags of kube-apiserver. */
export function apiServerFlags({ tcp, advertiseAddress, store, hasAuthentication }: ComponentInput): Flags {
  const { networkProfile, kubernetes } = tcp.spec;
  return {
    "advertise-address": advertiseAddress,
    "allow-privileged": "true",
    "authorization-mode": "Node,RBAC",
    ...(hasAuthentication ? { "authentication-config": `${authenticationDirectory}/${authenticationFile}` } : {}),
    "client-ca-file": pkiFile("ca.crt"),
    "enable-admission-plugins": kubernetes.admissionControllers.join(","),
    "enable-bootstrap-token-auth": "true",
    // All replicas advertise the same address; each would remove it for all of them when it stops. Steward manages it
    // instead.
    "endpoint-reconciler-type": "none",
    "etcd-cafile": pkiFile("etcd/ca.crt"),
    "etcd-certfile": pkiFile("etcd/server.crt"),
    // Tenants may not compact a shared store; the store compacts itself.
    "etcd-compaction-interval": "0",
    "etcd-keyfile": pkiFile("etcd/server.key"),
    // The API server appends the slash itself.
    "etcd-prefix": store.prefix.replace(/\/$/, ""),
    "etcd-servers": store.endpoints.map((endpoint) => `https://${endpoint}`).join(","),
    "kubelet-client-certificate": pkiFile("apiserver-kubelet-client.crt"),
    "kubelet-client-key": pkiFile("apiserver-kubelet-client.key"),
    "kubelet-preferred-address-types": kubernetes.kubelet.preferredAddressTypes.join(","),
    profiling: "false",
    "proxy-client-cert-file": pkiFile("front-proxy-client.crt"),
    "proxy-client-key-file": pkiFile("front-proxy-client.key"),
    "requestheader-allowed-names": "front-proxy-client",
    "requestheader-client-ca-file": pkiFile("front-proxy-ca.crt"),
    "requestheader-extra-headers-prefix": "X-Remote-Extra-",
    "requestheader-group-headers": "X-Remote-Group",
    "requestheader-username-headers": "X-Remote-User",
    "secure-port": String(networkProfile.port),
    "service-account-issuer": `https://kubernetes.default.svc.${networkProfile.clusterDomain}`,
    "service-account-key-file": pkiFile("sa.pub"),
    "service-account-signing-key-file": pkiFile("sa.key"),
    "service-cluster-ip-range": networkProfile.serviceCidr,
    "shutdown-delay-duration": `${shutdownDelaySeconds}s`,
    // Without it watches are not closed: the API server waits for them until it is killed.
    "shutdown-watch-termination-grace-period": "10s",
    "tls-cert-file": pkiFile("apiserver.crt"),
    "tls-private-key-file": pkiFile("apiserver.key"),
  };
}

/** The flags of kube-controller-manager. */
export function controllerManagerFlags({ tcp }: ComponentInput): Flags {
  const { podCidr, serviceCidr } = tcp.spec.networkProfile;
  return {
    ...kubeconfigFlags("controller-manager"),
    "allocate-node-cidrs": "true",
    "bind-address": "0.0.0.0",
    "client-ca-file": pkiFile("ca.crt"),
    "cluster-cidr": podCidr,
    "cluster-name": tcp.metadata.name,
    "cluster-signing-cert-file": pkiFile("ca.crt"),
    "cluster-signing-key-file": pkiFile("ca.key"),
    controllers: "*,bootstrapsigner,tokencleaner",
    // It creates a service account for each of its controllers before it starts any: at its default 20 requests a
    // second that takes 5 seconds, for which the first node of a new cluster would wait.
    "kube-api-burst": "200",
    "kube-api-qps": "100",
    "leader-elect": "true",
    profiling: "false",
    "requestheader-client-ca-file": pkiFile("front-proxy-ca.crt"),
    "root-ca-file": pkiFile("ca.crt"),
    "service-account-private-key-file": pkiFile("sa.key"),
    "service-cluster-ip-range": serviceCidr,
    "use-service-account-credentials": "true",
  };
}

/** The flags of kube-scheduler. */
export function schedulerFlags(): Flags {
  return { ...kubeconfigFlags("scheduler"), "bind-address": "0.0.0.0", "leader-elect": "true", profiling: "false" };
}

function kubeconfigFlags(program: "controller-manager" | "scheduler"): Flags {
  const file = `${kubeconfigDirectory}/${program}.conf`;
  return { kubeconfig: file, "authentication-kubeconfig": file, "authorization-kubeconfig": file };
}

/** The mounts of each program. */
export const componentMounts = {
  "kube-apiserver": (hasAuthentication: boolean): NamedThing[] => [
    readOnlyMount("etc-kubernetes-pki", "/etc/kubernetes/pki"),
    ...(hasAuthentication ? [readOnlyMount("authentication-configuration", authenticationDirectory)] : []),
  ],
  "kube-controller-manager": (): NamedThing[] => [
    readOnlyMount("controller-manager-pki", "/etc/kubernetes/pki"),
    readOnlyMount("controller-manager-kubeconfig", kubeconfigDirectory),
    readOnlyMount("flexvolume-dir", flexVolumeDirectory),
  ],
  "kube-scheduler": (): NamedThing[] => [readOnlyMount("scheduler-kubeconfig", kubeconfigDirectory)],
} as const;

/** The security context of every program. */
export const containerSecurity: Readonly<Record<string, unknown>> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

/**
 * The same for kube-apiserver, whose published image has the file capability to bind low ports: the kernel does not
 * start a program whose file capabilities are not permitted.
 */
export const apiServerSecurity: Readonly<Record<string, unknown>> = {
  ...containerSecurity,
  capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] },
};

/** Default resource requests of each program. */
const defaultResources = {
  apiServer: { requests: { cpu: "100m", memory: "256Mi" } },
  controllerManager: { requests: { cpu: "25m", memory: "64Mi" } },
  scheduler: { requests: { cpu: "25m", memory: "32Mi" } },
} as const;

/** CPU and memory of a program. */
export function resourcesOf(
  { spec }: TenantControlPlane,
  program: keyof typeof defaultResources,
): ContainerShape["resources"] {
  return spec.controlPlane.deployment.resources?.[program] ?? defaultResources[program];
}
