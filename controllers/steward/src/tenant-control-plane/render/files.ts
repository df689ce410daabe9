import type { NamedThing } from "../kinds.ts";
import { type SecretId, secretName } from "../secrets/secret-names.ts";

/** The directory of keys and certificates in every container. */
export const pkiDirectory = "/etc/kubernetes/pki";
/** The directory of a program's kubeconfig. */
export const kubeconfigDirectory = "/etc/kubernetes/kubeconfig";
/** The directory of the API server's AuthenticationConfiguration. */
export const authenticationDirectory = "/etc/kubernetes/authentication";
/** The file there, and the key of the ConfigMap. */
export const authenticationFile = "authentication-configuration.yaml";

/** kube-controller-manager creates this directory itself if possible, and logs an error otherwise. */
export const flexVolumeDirectory = "/usr/libexec/kubernetes/kubelet-plugins/volume/exec";

/** The names of Steward's volumes; reserved, so user volumes may not use them. */
export const ownVolumeNames: readonly string[] = [
  "etc-kubernetes-pki",
  "controller-manager-pki",
  "controller-manager-kubeconfig",
  "scheduler-kubeconfig",
  "authentication-configuration",
  "flexvolume-dir",
];

/** The directories that Steward mounts; user mounts at, above or below them are rejected. */
export const ownDirectories: readonly string[] = [
  pkiDirectory,
  kubeconfigDirectory,
  authenticationDirectory,
  flexVolumeDirectory,
];

/** The name of the ConfigMap that configures anonymous access. */
export function authenticationConfigName(controlPlane: string): string {
  return `${controlPlane}-authentication-configuration`;
}

/** A file in the key directory. */
export function pkiFile(name: string): string {
  return `${pkiDirectory}/${name}`;
}

/** The mounted keys of a Secret, each with its file name. */
type Selection = Partial<Record<SecretId, readonly (string | readonly [key: string, path: string])[]>>;

/** The API server signs tokens but no certificates, so the CA key is not mounted. */
const apiServerSelection: Selection = {
  ca: ["ca.crt"],
  frontProxyCA: ["front-proxy-ca.crt"],
  sa: ["sa.pub", "sa.key"],
  apiServer: ["apiserver.crt", "apiserver.key"],
  apiServerKubeletClient: ["apiserver-kubelet-client.crt", "apiserver-kubelet-client.key"],
  frontProxyClient: ["front-proxy-client.crt", "front-proxy-client.key"],
  dataStore: [
    ["ca.crt", "etcd/ca.crt"],
    ["server.crt", "etcd/server.crt"],
    ["server.key", "etcd/server.key"],
  ],
};

const controllerManagerSelection: Selection = {
  ca: ["ca.crt", "ca.key"],
  frontProxyCA: ["front-proxy-ca.crt"],
  sa: ["sa.key"],
};

/** The volumes of the pods. Only the group of the pods may read them. */
export function ownVolumes(controlPlane: string, hasAuthentication: boolean): NamedThing[] {
  const projected = (name: string, selection: Selection): NamedThing => ({
    name,
    projected: {
      defaultMode: 0o440,
      sources: Object.entries(selection).map(([id, files]) => ({
        secret: {
          name: secretName({ name: controlPlane }, id as SecretId),
          items: files.map((file) => {
            const [key, path] = typeof file === "string" ? [file, file] : file;
            return { key, path };
          }),
        },
      })),
    },
  });
  const kubeconfig = (name: string, id: SecretId): NamedThing => ({
    name,
    secret: { secretName: secretName({ name: controlPlane }, id), defaultMode: 0o440 },
  });
  const authentication: NamedThing = {
    name: "authentication-configuration",
    configMap: { name: authenticationConfigName(controlPlane), defaultMode: 0o444 },
  };
  return [
    projected("etc-kubernetes-pki", apiServerSelection),
    projected("controller-manager-pki", controllerManagerSelection),
    kubeconfig("controller-manager-kubeconfig", "controllerManager"),
    kubeconfig("scheduler-kubeconfig", "scheduler"),
    { name: "flexvolume-dir", emptyDir: {} },
    ...(hasAuthentication ? [authentication] : []),
  ];
}

/** A mount that cannot be written to. */
export function readOnlyMount(name: string, mountPath: string): NamedThing {
  return { name, mountPath, readOnly: true };
}
