import type { CertificateRequest } from "@butler/pki";
import { type EtcdPlace, memberHost, memberNames } from "./etcd-names.ts";

/**
 * The Secrets of an etcd. Clients and peers have separate CAs: with a shared one, every tenant's certificate would be
 * accepted on the peer port.
 */
export type EtcdSecretId = "ca" | "peerCA" | "server" | "peer" | "root";

/** The CAs of an etcd. */
type EtcdSignerId = Extract<EtcdSecretId, "ca" | "peerCA">;

interface AuthorityNeed {
  readonly id: EtcdSignerId;
  readonly secretName: string;
  readonly kind: "authority";
  readonly commonName: string;
  readonly files: typeof authorityFiles;
}

interface CertificateNeed {
  readonly id: Exclude<EtcdSecretId, EtcdSignerId>;
  readonly secretName: string;
  readonly kind: "certificate";
  readonly signer: EtcdSignerId;
  readonly request: CertificateRequest;
  readonly files: typeof certificateFiles;
}

/** What a Secret of an etcd must hold. Nothing in it is secret. */
export type EtcdSecretNeed = AuthorityNeed | CertificateNeed;

/** The keys of a CA Secret. */
export const authorityFiles = { cert: "ca.crt", key: "ca.key" } as const;
/** The keys of a certificate's Secret. */
export const certificateFiles = { cert: "tls.crt", key: "tls.key" } as const;

const suffixes: Readonly<Record<EtcdSecretId, string>> = {
  ca: "-ca",
  peerCA: "-peer-ca",
  server: "-server",
  peer: "-peer",
  root: "-root",
};

/** The name of a Secret of an etcd. */
export function etcdSecretName({ name }: Pick<EtcdPlace, "name">, id: EtcdSecretId): string {
  return `${name}${suffixes[id]}`;
}

/** The component label of a Secret of an etcd. */
export function etcdSecretComponent(id: EtcdSecretId): string {
  return `etcd${suffixes[id]}`;
}

/** The Secrets that an etcd needs, CAs first. `root` is not mounted in its pods. */
export function etcdSecretNeeds(place: EtcdPlace): EtcdSecretNeed[] {
  return [...authorityNeeds(place), ...certificateNeeds(place)];
}

function authorityNeeds(place: EtcdPlace): AuthorityNeed[] {
  return (["ca", "peerCA"] as const).map((id) => {
    const secretName = etcdSecretName(place, id);
    return { id, secretName, kind: "authority", commonName: secretName, files: authorityFiles };
  });
}

function certificateNeeds(place: EtcdPlace): CertificateNeed[] {
  const hosts = memberNames(place).map((member) => memberHost(place, member));
  const need = (id: CertificateNeed["id"], request: CertificateRequest): CertificateNeed => ({
    id,
    secretName: etcdSecretName(place, id),
    kind: "certificate",
    signer: id === "peer" ? "peerCA" : "ca",
    request,
    files: certificateFiles,
  });
  return [
    // A member is also a client of itself when it forwards requests.
    need("server", {
      commonName: etcdSecretName(place, "server"),
      usages: ["server", "client"],
      dnsNames: [...hosts, `${place.name}.${place.namespace}.svc`, "localhost"],
      ipAddresses: ["127.0.0.1", "::1"],
    }),
    // etcd checks a peer's address against these names, so there must be no others.
    need("peer", { commonName: etcdSecretName(place, "peer"), usages: ["server", "client"], dnsNames: hosts }),
    need("root", { commonName: "root", usages: ["client"] }),
  ];
}
