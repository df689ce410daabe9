import type { ObjectMeta } from "@butler/resource";
import { dedicatedEtcdName, etcdSecretComponent, type EtcdSecretId, etcdSecretName } from "../../data-store/index.ts";

/** The suffix of each Secret's name after the control plane's name; also, without the dash, its component label. */
const suffixes = {
  ca: "-ca",
  frontProxyCA: "-front-proxy-ca-certificate",
  sa: "-sa-certificate",
  apiServer: "-api-server-certificate",
  apiServerKubeletClient: "-api-server-kubelet-client-certificate",
  frontProxyClient: "-front-proxy-client-certificate",
  controllerManager: "-controller-manager-kubeconfig",
  scheduler: "-scheduler-kubeconfig",
  admin: "-admin-kubeconfig",
  dataStore: "-datastore-certificate",
} as const;

/** The Secrets of a dedicated etcd, by their names there. */
const etcdIds = {
  etcdCA: "ca",
  etcdPeerCA: "peerCA",
  etcdServer: "server",
  etcdPeer: "peer",
  etcdRoot: "root",
} as const satisfies Readonly<Record<string, EtcdSecretId>>;

type OwnSecretId = keyof typeof suffixes;

/** The Secrets of a dedicated etcd. */
export type OwnEtcdSecretId = keyof typeof etcdIds;

/** The Secrets of a control plane, by content. */
export type SecretId = OwnSecretId | OwnEtcdSecretId;

/** All possible Secrets. */
export const secretIds = [...Object.keys(suffixes), ...Object.keys(etcdIds)] as readonly SecretId[];

type Identity = Pick<ObjectMeta, "name" | "uid">;

/** The name of a Secret of a control plane. */
export function secretName(controlPlane: Identity, id: SecretId): string {
  if (isEtcdId(id)) return etcdSecretName({ name: dedicatedEtcdName(controlPlane) }, etcdIds[id]);
  return `${controlPlane.name}${suffixes[id]}`;
}

/** The component label of a Secret of a control plane. */
export function secretComponent(id: SecretId): string {
  return isEtcdId(id) ? etcdSecretComponent(etcdIds[id]) : suffixes[id].slice(1);
}

/** The control plane's ID of a dedicated etcd's Secret. */
export function ownEtcdSecretId(id: EtcdSecretId): OwnEtcdSecretId {
  const found = (Object.keys(etcdIds) as OwnEtcdSecretId[]).find((own) => etcdIds[own] === id);
  return found ?? "etcdCA";
}

/** Whether a name is that of any control plane's Secret. */
export function isSecretOfSteward(name: string): boolean {
  return (
    Object.values(suffixes).some((suffix) => name.endsWith(suffix)) || /-etcd-(ca|peer-ca|server|peer|root)$/.test(name)
  );
}

function isEtcdId(id: SecretId): id is OwnEtcdSecretId {
  return Object.hasOwn(etcdIds, id);
}
