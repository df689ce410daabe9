import { etcdPorts, type EtcdPlace, memberHost, memberNames } from "./etcd-names.ts";

/** The paths of etcd in its container. */
export const etcdPaths = {
  volume: "/var/lib/etcd",
  // A separate directory: etcd requires restrictive permissions, and the volume root may contain files of the file
  // system.
  data: "/var/lib/etcd/data",
  client: "/etc/etcd/client",
  peer: "/etc/etcd/peer",
} as const;

/** The pod name, which Kubernetes substitutes when the container starts. */
const ownName = "$(POD_NAME)";

/** The flags of an etcd's members, without dashes. They are the same for all members. */
export function etcdFlags(
  place: EtcdPlace & { readonly token: string; readonly quota: bigint },
): Readonly<Record<string, string>> {
  const own = memberHost(place, ownName);
  const peerUrl = (host: string): string => `https://${host}:${etcdPorts.peer}`;
  const members = memberNames(place).map((member) => `${member}=${peerUrl(memberHost(place, member))}`);
  return {
    name: ownName,
    "data-dir": etcdPaths.data,
    "listen-client-urls": `https://0.0.0.0:${etcdPorts.client}`,
    "advertise-client-urls": `https://${own}:${etcdPorts.client}`,
    "listen-peer-urls": `https://0.0.0.0:${etcdPorts.peer}`,
    "initial-advertise-peer-urls": peerUrl(own),
    "initial-cluster": members.join(","),
    "initial-cluster-state": "new",
    "initial-cluster-token": place.token,
    // This endpoint exposes neither keys nor values, and the kubelet has no client certificate.
    "listen-metrics-urls": `http://0.0.0.0:${etcdPorts.metrics}`,
    "client-cert-auth": "true",
    "trusted-ca-file": `${etcdPaths.client}/ca.crt`,
    "cert-file": `${etcdPaths.client}/tls.crt`,
    "key-file": `${etcdPaths.client}/tls.key`,
    "peer-client-cert-auth": "true",
    "peer-trusted-ca-file": `${etcdPaths.peer}/ca.crt`,
    "peer-cert-file": `${etcdPaths.peer}/tls.crt`,
    "peer-key-file": `${etcdPaths.peer}/tls.key`,
    "tls-min-version": "TLS1.2",
    // It would forward requests with the identity of the server certificate.
    "enable-grpc-gateway": "false",
    // Tenant API servers may not compact, because that affects all keys. So etcd does.
    "auto-compaction-mode": "periodic",
    "auto-compaction-retention": "5m",
    // A snapshot stops a busy leader for a while; with ten control planes the default would come every few minutes.
    "snapshot-count": "50000",
    "quota-backend-bytes": String(place.quota),
    "feature-gates": "InitialCorruptCheck=true",
    "watch-progress-notify-interval": "5s",
  };
}
