import type { TenantControlPlane } from "@butler/api";
import { clusterNameLabel, clusterSecretType } from "@butler/api-external";
import type { CertificateRequest, KeyAlgorithm } from "@butler/pki";
import { parseDurationMs } from "@butler/std";
import { type EtcdPlace, type EtcdSecretNeed, etcdSecretNeeds } from "../../data-store/index.ts";
import { ownEtcdSecretId, secretComponent, type SecretId, secretName } from "./secret-names.ts";

/** The keys of a Secret that hold a certificate and its private key. */
export interface PairFiles {
  readonly cert: string;
  readonly key: string;
}

/** A Secret that holds an authority. */
export interface Signer {
  readonly id: SecretId;
  readonly name: string;
  readonly files: PairFiles;
}

/** Kubeconfigs of one user, each for another address of the API server. */
export interface KubeconfigUser {
  readonly request: CertificateRequest;
  readonly files: readonly { readonly file: string; readonly server: string }[];
}

/** The required content of a Secret. Plain data without secrets: it can be logged, compared and passed on. */
export type SecretContent =
  | { readonly kind: "authority"; readonly commonName: string; readonly files: readonly PairFiles[] }
  | { readonly kind: "signingKey" }
  | {
      readonly kind: "certificate";
      readonly signer: Signer;
      readonly request: CertificateRequest;
      readonly files: PairFiles;
    }
  | {
      readonly kind: "kubeconfigs";
      readonly signer: Signer;
      readonly clusterName: string;
      readonly users: readonly KubeconfigUser[];
    }
  | {
      readonly kind: "storeClient";
      readonly dataStore: string;
      readonly request: CertificateRequest;
      /** The CA of the dedicated etcd; that of the DataStore by default. */
      readonly signer?: Signer | undefined;
    };

/** A desired Secret. */
export interface SecretBlueprint {
  readonly id: SecretId;
  readonly name: string;
  readonly component: string;
  readonly content: SecretContent;
  /** The Secret type that others expect; Opaque by default. */
  readonly type?: string;
  /** Labels by which others find it. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The files of the client certificate for the store. */
export const storeClientFiles: PairFiles = { cert: "server.crt", key: "server.key" };

const caFiles: PairFiles = { cert: "ca.crt", key: "ca.key" };
const frontProxyFiles: PairFiles = { cert: "front-proxy-ca.crt", key: "front-proxy-ca.key" };
/** The key names of a CA Secret in Cluster API. */
const clusterApiFiles: PairFiles = { cert: "tls.crt", key: "tls.key" };

/** The address and the names of the API server. */
export interface ApiServerReach {
  /** `https://` and the announced endpoint. */
  readonly server: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

export interface BlueprintInput {
  readonly tcp: TenantControlPlane;
  /** Undefined while the endpoint is not known. */
  readonly reach: ApiServerReach | undefined;
  /** Undefined while the store is not known. */
  readonly store:
    | {
        readonly dataStore: string;
        readonly user: string;
        /** The place of the dedicated etcd, if any. */
        readonly ownEtcd: EtcdPlace | undefined;
      }
    | undefined;
}

type Contents = readonly (readonly [SecretId, SecretContent])[];

/** The Secrets that can be determined so far, signers first. */
export function secretBlueprints({ tcp, reach, store }: BlueprintInput): SecretBlueprint[] {
  const contents: Contents = [
    ...identities(tcp),
    ...(reach === undefined ? [] : reachableContents(tcp, reach)),
    ...(store === undefined ? [] : storeContents(tcp, store)),
  ];
  return contents.map(([id, content]) => ({
    id,
    name: secretName(tcp.metadata, id),
    component: secretComponent(id),
    content,
    ...(id === "ca" ? clusterApiMarks(tcp) : {}),
  }));
}

/**
 * Cluster API reads the CA of a Cluster of the same name from this Secret, and finds it by type and label. The type is
 * immutable, so it is set even before a Cluster exists.
 */
function clusterApiMarks({ metadata }: TenantControlPlane): Pick<SecretBlueprint, "type" | "labels"> {
  const cluster = metadata.labels?.[clusterNameLabel];
  return { type: clusterSecretType, ...(cluster === undefined ? {} : { labels: { [clusterNameLabel]: cluster } }) };
}

function signer({ metadata }: TenantControlPlane, id: SecretId, files: PairFiles): Signer {
  return { id, name: secretName(metadata, id), files };
}

function identities(tcp: TenantControlPlane): Contents {
  const { name } = tcp.metadata;
  const local = `https://127.0.0.1:${tcp.spec.networkProfile.port}`;
  const ca = signer(tcp, "ca", caFiles);
  const ownKubeconfig = (program: "controller-manager" | "scheduler"): SecretContent => ({
    kind: "kubeconfigs",
    signer: ca,
    clusterName: name,
    users: [
      {
        request: { commonName: `system:kube-${program}`, usages: ["client"] },
        files: [{ file: `${program}.conf`, server: local }],
      },
    ],
  });
  const client = (from: Signer, commonName: string, file: string): SecretContent => ({
    kind: "certificate",
    signer: from,
    request: { commonName, usages: ["client"] },
    files: { cert: `${file}.crt`, key: `${file}.key` },
  });
  return [
    ["ca", { kind: "authority", commonName: `${name}-ca`, files: [caFiles, clusterApiFiles] }],
    ["frontProxyCA", { kind: "authority", commonName: `${name}-front-proxy-ca`, files: [frontProxyFiles] }],
    ["sa", { kind: "signingKey" }],
    // Without a group: a role binding in the tenant lets this name call kubelets, and nothing else.
    ["apiServerKubeletClient", client(ca, "kube-apiserver-kubelet-client", "apiserver-kubelet-client")],
    [
      "frontProxyClient",
      client(signer(tcp, "frontProxyCA", frontProxyFiles), "front-proxy-client", "front-proxy-client"),
    ],
    ["controllerManager", ownKubeconfig("controller-manager")],
    ["scheduler", ownKubeconfig("scheduler")],
  ];
}

function reachableContents(tcp: TenantControlPlane, { server, dnsNames, ipAddresses }: ApiServerReach): Contents {
  const { name, namespace = "" } = tcp.metadata;
  const ca = signer(tcp, "ca", caFiles);
  const inside = `https://${name}.${namespace}.svc:${tcp.spec.networkProfile.port}`;
  const user = (file: string, commonName: string, group: string): KubeconfigUser => ({
    request: { commonName, organizations: [group], usages: ["client"] },
    files: [
      { file: `${file}.conf`, server },
      { file: `${file}.svc`, server: inside },
    ],
  });
  return [
    [
      "apiServer",
      {
        kind: "certificate",
        signer: ca,
        request: { commonName: "kube-apiserver", usages: ["server"], dnsNames, ipAddresses },
        files: { cert: "apiserver.crt", key: "apiserver.key" },
      },
    ],
    [
      "admin",
      {
        kind: "kubeconfigs",
        signer: ca,
        clusterName: name,
        users: [
          user("admin", "kubernetes-admin", "kubeadm:cluster-admins"),
          user("super-admin", "kubernetes-super-admin", "system:masters"),
        ],
      },
    ],
  ];
}

function storeContents(
  tcp: TenantControlPlane,
  { dataStore, user, ownEtcd }: NonNullable<BlueprintInput["store"]>,
): Contents {
  const request: CertificateRequest = { commonName: user, usages: ["client"] };
  if (ownEtcd === undefined) return [["dataStore", { kind: "storeClient", dataStore, request }]];
  const authority = signer(tcp, "etcdCA", caFiles);
  return [
    ...etcdSecretNeeds(ownEtcd).map((need) => [ownEtcdSecretId(need.id), etcdContent(tcp, need)] as const),
    ["dataStore", { kind: "storeClient", dataStore, request, signer: authority }],
  ];
}

function etcdContent(tcp: TenantControlPlane, need: EtcdSecretNeed): SecretContent {
  if (need.kind === "authority") return { kind: "authority", commonName: need.commonName, files: [need.files] };
  const from = signer(tcp, ownEtcdSecretId(need.signer), caFiles);
  return { kind: "certificate", signer: from, request: need.request, files: need.files };
}

/** Settings for keys and certificates of a control plane. */
export interface IssueSettings {
  readonly algorithm: KeyAlgorithm;
  readonly lifetimeMs: number;
  readonly authorityLifetimeMs: number;
}

/** Settings for keys and certificates of a control plane. */
export function issueSettings({ spec: { certificates } }: TenantControlPlane): IssueSettings {
  return {
    algorithm: certificates.algorithm === "RSA" ? "RSA-2048" : "ECDSA-P256",
    lifetimeMs: parseDurationMs(certificates.lifetime),
    authorityLifetimeMs: parseDurationMs(certificates.authorityLifetime),
  };
}
