import { etcdPorts, type EtcdPlace, memberHost, memberNames } from "./etcd-names.ts";

/** Where etcd finds its things in its container. */
export const etcdPaths = {
  volume: "/var/lib/etcd",
  // A folder of its own: etcd wants it closed to others, and the volume's root may hold what the file system put there.
  data: "/var/lib/etcd/data",
  client: "/etc/etcd/client",
  peer: "/etc/etcd/peer",
} as const;

/** The name of the pod, which Kubernetes puts in when the container starts. */
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
    // Neither keys nor values are found here, and a kubelet has no client certificate to ask with.
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
    // It would pass requests on in the name of the server's own certificate.
    "enable-grpc-gateway": "false",
    // API servers of tenants may not compact, because that concerns all keys. So etcd does.
    "auto-compaction-mode": "periodic",
    "auto-compaction-retention": "5m",
    // A snapshot stops a busy leader for a while; with ten control planes the default would come every few minutes.
    "snapshot-count": "50000",
    "quota-backend-bytes": String(place.quota),
    "feature-gates": "InitialCorruptCheck=true",
    "watch-progress-notify-interval": "5s",
  };
}
