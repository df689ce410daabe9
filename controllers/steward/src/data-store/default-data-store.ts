import { DataStore } from "@butler/api";
import { apiVersionOf, builtinKinds, type KubeObject } from "@butler/resource";
import { componentLabel, projectLabels } from "../names.ts";
import { encoded } from "./content-ref.ts";
import {
  type EtcdCertificates,
  etcdSecretComponent,
  type EtcdSecretId,
  etcdSecretName,
  etcdSecretNeeds,
} from "./etcd-certificates.ts";
import { type EtcdPlace, etcdEndpoints } from "./etcd-names.ts";
import { defaultEtcdImage, type EtcdInput, etcdObjects } from "./manifests.ts";
import { dataStoreLabel, defaultDataStoreName, signedByAnnotation } from "./names.ts";

/** The shared etcd that comes with an installation. */
export interface DefaultDataStoreInput extends Partial<Pick<EtcdInput, "image" | "members" | "resources" | "storage">> {
  /** The namespace of Steward itself. */
  readonly namespace: string;
  readonly certificates: EtcdCertificates;
  /** The name of the DataStore; "default" when not given. */
  readonly name?: string;
}

/** What a member of a shared etcd asks for. With less, ten control planes make each other's leases run out. */
const sharedResources: EtcdInput["resources"] = { requests: { cpu: "500m", memory: "512Mi" } };

/** Where the shared etcd of a DataStore is; its certificates are made for just this. */
export function sharedEtcdPlace({
  namespace,
  name = defaultDataStoreName,
  members = 3,
}: Pick<DefaultDataStoreInput, "namespace" | "name" | "members">): EtcdPlace {
  return { name: `${name}-etcd`, namespace, members };
}

/** Every object of a shared etcd and the DataStore that leads to it, in the order in which they are applied. */
export function defaultDataStoreObjects(input: DefaultDataStoreInput): KubeObject[] {
  const { name = defaultDataStoreName, certificates } = input;
  const place = sharedEtcdPlace(input);
  const labels = { [dataStoreLabel]: name };
  return [
    ...etcdSecretNeeds(place).map((need) => {
      const { id, files } = need;
      const signer = need.kind === "certificate" ? etcdSecretName(place, need.signer) : undefined;
      return secretOf(place, { id, labels, signer, files, pair: certificates[id] });
    }),
    ...etcdObjects({
      ...place,
      labels,
      image: input.image ?? defaultEtcdImage,
      storage: input.storage ?? { size: "10Gi" },
      resources: input.resources ?? sharedResources,
      isDisposable: false,
      token: `${place.namespace}-${place.name}`,
    }),
    dataStoreOf(name, place),
  ];
}

interface SecretParts {
  readonly id: EtcdSecretId;
  readonly labels: Readonly<Record<string, string>>;
  readonly signer: string | undefined;
  readonly files: { readonly cert: string; readonly key: string };
  readonly pair: EtcdCertificates[EtcdSecretId];
}

function secretOf(place: EtcdPlace, { id, labels, signer, files, pair }: SecretParts): KubeObject {
  return {
    apiVersion: apiVersionOf(builtinKinds.Secret),
    kind: builtinKinds.Secret.kind,
    metadata: {
      name: etcdSecretName(place, id),
      namespace: place.namespace,
      labels: { ...labels, ...projectLabels, [componentLabel]: etcdSecretComponent(id) },
      ...(signer === undefined ? {} : { annotations: { [signedByAnnotation]: signer } }),
    },
    type: "Opaque",
    data: { [files.cert]: encoded(pair.cert), [files.key]: encoded(pair.key) },
  } as KubeObject;
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
