import { DataStore } from "@butler/api";
import type { CertificatePair } from "@butler/pki";
import { apiVersionOf, builtinKinds, type KubeObject } from "@butler/resource";
import { componentLabel, projectLabels } from "../names.ts";
import { encoded } from "./content-ref.ts";
import { etcdSecretComponent, type EtcdSecretId, etcdSecretName, type EtcdSecretNeed } from "./etcd-certificates.ts";
import { type EtcdPlace, etcdEndpoints } from "./etcd-names.ts";
import { defaultEtcdImage, type EtcdInput, etcdObjects } from "./manifests.ts";
import { dataStoreLabel, defaultDataStoreName, membersAnnotation, signedByAnnotation } from "./names.ts";

/** Settings of the shared etcd that comes with an installation. */
export interface DefaultDataStoreSettings extends Partial<
  Pick<EtcdInput, "image" | "members" | "resources" | "storage">
> {
  /** The namespace of Steward itself. */
  readonly namespace: string;
  /** The name of the DataStore; "default" by default. */
  readonly name?: string;
}

/** Resource requests of a shared etcd member. With less, ten control planes make each other's leases expire. */
const sharedResources: EtcdInput["resources"] = { requests: { cpu: "500m", memory: "512Mi" } };

/** The default volume of a member. */
export const sharedStorage: EtcdInput["storage"] = { size: "10Gi" };

/** The place of the shared etcd of a DataStore, which its certificates are issued for. */
export function sharedEtcdPlace({
  namespace,
  name = defaultDataStoreName,
  members = 3,
}: Pick<DefaultDataStoreSettings, "namespace" | "name" | "members">): EtcdPlace {
  return { name: `${name}-etcd`, namespace, members };
}

/** All objects of the shared etcd except its Secrets and its DataStore, in apply order. */
export function sharedEtcdObjects(settings: DefaultDataStoreSettings): KubeObject[] {
  const place = sharedEtcdPlace(settings);
  return etcdObjects({
    ...place,
    labels: labelsOf(settings),
    image: settings.image ?? defaultEtcdImage,
    storage: settings.storage ?? sharedStorage,
    resources: settings.resources ?? sharedResources,
    isDisposable: false,
    token: `${place.namespace}-${place.name}`,
  });
}

/** A Secret of the shared etcd. It records the number of members that the certificates are for. */
export function sharedSecretOf(
  settings: DefaultDataStoreSettings,
  need: EtcdSecretNeed,
  pair: CertificatePair,
): KubeObject {
  const { id, files } = need;
  const place = sharedEtcdPlace(settings);
  const signer = need.kind === "certificate" ? { [signedByAnnotation]: etcdSecretName(place, need.signer) } : {};
  return {
    apiVersion: apiVersionOf(builtinKinds.Secret),
    kind: builtinKinds.Secret.kind,
    metadata: {
      name: etcdSecretName(place, id),
      namespace: place.namespace,
      labels: { ...labelsOf(settings), ...projectLabels, [componentLabel]: etcdSecretComponent(id) },
      annotations: { [membersAnnotation]: String(place.members), ...signer },
    },
    type: "Opaque",
    data: { [files.cert]: encoded(pair.cert), [files.key]: encoded(pair.key) },
  } as KubeObject;
}

function labelsOf({ name = defaultDataStoreName }: DefaultDataStoreSettings): Record<string, string> {
  return { [dataStoreLabel]: name };
}

/** The DataStore of the shared etcd. */
export function sharedDataStoreOf(settings: DefaultDataStoreSettings): DataStore {
  return dataStoreOf(settings.name ?? defaultDataStoreName, sharedEtcdPlace(settings));
}

function dataStoreOf(name: string, place: EtcdPlace): DataStore {
  const key = (id: EtcdSecretId, keyPath: string) => ({
    secretReference: { name: etcdSecretName(place, id), namespace: place.namespace, keyPath },
  });
  return {
    apiVersion: apiVersionOf(DataStore),
    kind: DataStore.kind,
    metadata: { name, labels: projectLabels },
    spec: {
      driver: "etcd",
      endpoints: etcdEndpoints(place),
      tlsConfig: {
        certificateAuthority: { certificate: key("ca", "ca.crt"), privateKey: key("ca", "ca.key") },
        clientCertificate: { certificate: key("root", "tls.crt"), privateKey: key("root", "tls.key") },
      },
    },
  };
}
