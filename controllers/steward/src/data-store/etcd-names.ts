import type { ObjectMeta } from "@butler/resource";

/** The ports of an etcd: for clients, for its own members, and for probes and metrics. */
export const etcdPorts = { client: 2379, peer: 2380, metrics: 2381 } as const;

/** An etcd that Steward runs: the names of its objects and members. */
export interface EtcdPlace {
  /** The name of the StatefulSet and the Service, and the prefix of all other names. */
  readonly name: string;
  readonly namespace: string;
  /** 1 or 3. */
  readonly members: number;
}

/** The longest control plane name that leaves room for the suffixes of a StatefulSet's pods. */
const longestPlainName = 40;

/** The name of a control plane's own etcd. The UID replaces a long name: pod names must fit into 63 characters. */
export function dedicatedEtcdName({ name, uid = "" }: Pick<ObjectMeta, "name" | "uid">): string {
  return name.length <= longestPlainName ? `${name}-etcd` : `etcd-${uid}`;
}

/** The names of an etcd's members, equal to its pod names. */
export function memberNames({ name, members }: EtcdPlace): string[] {
  return Array.from({ length: members }, (_, at) => `${name}-${at}`);
}

/** The host name of a member. It omits the cluster domain, which pods complete through their DNS search path. */
export function memberHost({ name, namespace }: EtcdPlace, member: string): string {
  return `${member}.${name}.${namespace}.svc`;
}

/** Where clients reach the members, as host:port each. */
export function etcdEndpoints(place: EtcdPlace): string[] {
  return memberNames(place).map((member) => `${memberHost(place, member)}:${etcdPorts.client}`);
}
