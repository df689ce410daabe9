import { join } from "node:path";
import { serviceRange } from "./pki.ts";

/** The programs of a control plane. */
export type ComponentName = "etcd" | "kube-apiserver" | "kube-controller-manager";

/** Flags without their dashes. A list repeats the flag; undefined removes a default flag. */
export type ComponentFlags = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Settings of one component that a caller may change. */
export interface ComponentTuning {
  readonly extraArgs?: ComponentFlags;
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

/** The files of a control plane. */
export interface ControlPlanePaths {
  readonly directory: string;
  readonly pki: string;
  readonly etcdData: string;
  readonly etcdSocket: string;
  readonly peerSocket: string;
  readonly authenticationConfig: string;
  readonly controllerManagerKubeconfig: string;
  readonly kubeconfig: string;
  readonly logs: string;
  readonly processes: string;
  readonly owner: string;
  /** Present if only a user may remove the directory. */
  readonly keepMark: string;
}

/** Defines the directory layout of a control plane. */
export function controlPlanePaths(directory: string): ControlPlanePaths {
  return {
    directory,
    pki: join(directory, "pki"),
    etcdData: join(directory, "etcd"),
    etcdSocket: join(directory, "etcd.sock"),
    peerSocket: join(directory, "peer.sock"),
    authenticationConfig: join(directory, "authentication.json"),
    controllerManagerKubeconfig: join(directory, "kube-controller-manager.kubeconfig"),
    kubeconfig: join(directory, "kubeconfig"),
    logs: join(directory, "logs"),
    processes: join(directory, "processes"),
    owner: join(directory, "owner"),
    keepMark: join(directory, "keep"),
  };
}

/** Merges defaults, feature gates and extra flags into command-line arguments; the caller's flags take precedence. */
export function formatArguments(defaults: ComponentFlags, { extraArgs, featureGates }: ComponentTuning = {}): string[] {
  const gates = Object.entries(featureGates ?? {}).map(([gate, isOn]) => `${gate}=${isOn}`);
  const flags: ComponentFlags = {
    ...defaults,
    ...(gates.length === 0 ? {} : { "feature-gates": gates.join(",") }),
    ...extraArgs,
  };
  return Object.entries(flags).flatMap(([flag, value]) => {
    if (value === undefined) return [];
    return (typeof value === "string" ? [value] : value).map((each) => `--${flag}=${each}`);
  });
}

/** etcd with one member, reached over Unix sockets and TLS. */
export function etcdFlags(paths: ControlPlanePaths, { unsafeNoFsync }: { unsafeNoFsync: boolean }): ComponentFlags {
  const file = (name: string): string => join(paths.pki, name);
  const [client, peer] = [`unixs://${paths.etcdSocket}`, `unixs://${paths.peerSocket}`];
  return {
    name: "butler",
    "data-dir": paths.etcdData,
    "listen-client-urls": client,
    "advertise-client-urls": client,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `butler=${peer}`,
    "cert-file": file("etcd.crt"),
    "key-file": file("etcd.key"),
    "client-cert-auth": "true",
    "trusted-ca-file": file("etcd-ca.crt"),
    "peer-cert-file": file("etcd.crt"),
    "peer-key-file": file("etcd.key"),
    "peer-client-cert-auth": "true",
    "peer-trusted-ca-file": file("etcd-ca.crt"),
    ...(unsafeNoFsync ? { "unsafe-no-fsync": "true" } : {}),
  };
}

/** The API server on loopback. There is no pod network, so it publishes no endpoint of itself. */
export function apiServerFlags(
  paths: ControlPlanePaths,
  { port, hasControllerManager }: { port: number; hasControllerManager: boolean },
): ComponentFlags {
  const file = (name: string): string => join(paths.pki, name);
  return {
    "bind-address": "127.0.0.1",
    "advertise-address": "127.0.0.1",
    "secure-port": String(port),
    "endpoint-reconciler-type": "none",
    "etcd-servers": `unixs://${paths.etcdSocket}`,
    "etcd-cafile": file("etcd-ca.crt"),
    "etcd-certfile": file("etcd-client.crt"),
    "etcd-keyfile": file("etcd-client.key"),
    "tls-cert-file": file("kube-apiserver.crt"),
    "tls-private-key-file": file("kube-apiserver.key"),
    "client-ca-file": file("ca.crt"),
    "authorization-mode": "Node,RBAC",
    "authentication-config": paths.authenticationConfig,
    "service-account-issuer": "https://kubernetes.default.svc",
    "service-account-key-file": file("service-account.pub"),
    "service-account-signing-key-file": file("service-account.key"),
    "service-cluster-ip-range": serviceRange,
    "requestheader-client-ca-file": file("front-proxy-ca.crt"),
    "requestheader-allowed-names": "front-proxy-client",
    "requestheader-username-headers": "X-Remote-User",
    "requestheader-group-headers": "X-Remote-Group",
    "requestheader-extra-headers-prefix": "X-Remote-Extra-",
    "proxy-client-cert-file": file("front-proxy-client.crt"),
    "proxy-client-key-file": file("front-proxy-client.key"),
    // Open watches would otherwise delay a graceful shutdown for a minute.
    "shutdown-send-retry-after": "true",
    // Without a controller manager there are no service accounts, and the plugin would reject every pod.
    ...(hasControllerManager ? {} : { "disable-admission-plugins": "ServiceAccount" }),
  };
}

/** The controller manager with every controller that is on by default, each under its own service account. */
export function controllerManagerFlags(paths: ControlPlanePaths, { port }: { port: number }): ComponentFlags {
  const file = (name: string): string => join(paths.pki, name);
  return {
    "bind-address": "127.0.0.1",
    "secure-port": String(port),
    "tls-cert-file": file("kube-controller-manager.crt"),
    "tls-private-key-file": file("kube-controller-manager.key"),
    kubeconfig: paths.controllerManagerKubeconfig,
    "authentication-kubeconfig": paths.controllerManagerKubeconfig,
    "authorization-kubeconfig": paths.controllerManagerKubeconfig,
    "client-ca-file": file("ca.crt"),
    "root-ca-file": file("ca.crt"),
    "cluster-signing-cert-file": file("ca.crt"),
    "cluster-signing-key-file": file("ca.key"),
    "service-account-private-key-file": file("service-account.key"),
    "use-service-account-credentials": "true",
    "service-cluster-ip-range": serviceRange,
    "leader-elect": "false",
    // The defaults would delay the start of some thirty controllers by client-side rate limiting.
    "kube-api-qps": "500",
    "kube-api-burst": "1000",
    // The default is outside of our directory and would be created.
    "flex-volume-plugin-dir": join(paths.directory, "flex-volumes"),
  };
}

/** Lets anonymous users access health endpoints and nothing else. */
export const authenticationConfiguration = {
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "AuthenticationConfiguration",
  anonymous: { enabled: true, conditions: [{ path: "/healthz" }, { path: "/livez" }, { path: "/readyz" }] },
} as const;

const passedOn = new Set(["GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GOTRACEBACK", "HOME", "LANG", "PATH", "TZ"]);

/**
 * The environment of the components: an allowlist. Proxy settings of the host would misroute their connections,
 * `ETCD_*` are etcd flags, and `KUBERNETES_*` would point them at the cluster this process runs in.
 */
export function componentEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      passedOn.has(name) && value !== undefined ? [[name, value] as const] : [],
    ),
  );
}
