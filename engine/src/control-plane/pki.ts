import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type CertificatePair,
  type CertificateRequest,
  createAuthority,
  createSigningKey,
  issueCertificate,
  type SigningKey,
  signingKeyFrom,
} from "./certificates.ts";

/** The first address of the Service range, at which pods would reach the API server. */
export const kubernetesServiceAddress = "10.96.0.1";

/** The Service range of the isolated control plane. */
export const serviceRange = "10.96.0.0/16";

/** Keys and certificates of one control plane, and the directory that holds them as `<name>.crt` and `<name>.key`. */
export interface Pki {
  readonly directory: string;
  /** Signs for the API server and its clients. */
  readonly authority: CertificatePair;
  readonly admin: CertificatePair;
  readonly controllerManager: CertificatePair;
  readonly etcdAuthority: CertificatePair;
  readonly etcdClient: CertificatePair;
  readonly serviceAccount: SigningKey;
}

const adminRequest: CertificateRequest = {
  commonName: "butler-admin",
  organizations: ["system:masters"],
  usages: ["client"],
};

const apiServerRequest: CertificateRequest = {
  commonName: "kube-apiserver",
  usages: ["server"],
  dnsNames: ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"],
  ipAddresses: ["127.0.0.1", "::1", kubernetesServiceAddress],
};

/** etcd's client takes the file name of a Unix socket for the server's name, so the sockets' names are in there. */
const etcdServerRequest: CertificateRequest = {
  commonName: "etcd",
  usages: ["server", "client"],
  dnsNames: ["localhost", "etcd.sock", "peer.sock"],
  ipAddresses: ["127.0.0.1"],
};

const controllerManagerRequest: CertificateRequest = {
  commonName: "system:kube-controller-manager",
  usages: ["server", "client"],
  dnsNames: ["localhost"],
  ipAddresses: ["127.0.0.1"],
};

/**
 * Prepares the keys of a control plane. Authorities and the service-account key are kept from an earlier start, so that
 * clients and tokens stay valid; all other certificates are issued anew, so that they never expire in use.
 * etcd and the API server's calls to extension servers have authorities of their own: nobody whom the API server
 * knows may thereby talk to etcd or speak for another user.
 */
export async function preparePki(directory: string): Promise<Pki> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const authority = await keptAuthority(directory, "ca", "butler-ca");
  const etcdAuthority = await keptAuthority(directory, "etcd-ca", "butler-etcd-ca");
  const issue = async (name: string, from: CertificatePair, request: CertificateRequest): Promise<CertificatePair> =>
    writePair(directory, name, await issueCertificate(from, request));
  const frontProxyAuthority = await keptAuthority(directory, "front-proxy-ca", "butler-front-proxy-ca");
  await issue("front-proxy-client", frontProxyAuthority, { commonName: "front-proxy-client", usages: ["client"] });
  await issue("kube-apiserver", authority, apiServerRequest);
  await issue("etcd", etcdAuthority, etcdServerRequest);
  return {
    directory,
    authority,
    etcdAuthority,
    admin: await issue("admin", authority, adminRequest),
    controllerManager: await issue("kube-controller-manager", authority, controllerManagerRequest),
    etcdClient: await issue("etcd-client", etcdAuthority, { commonName: "kube-apiserver", usages: ["client"] }),
    serviceAccount: await keptSigningKey(directory),
  };
}

async function keptAuthority(directory: string, name: string, commonName: string): Promise<CertificatePair> {
  const [cert, key] = await Promise.all([
    readIfPresent(join(directory, `${name}.crt`)),
    readIfPresent(join(directory, `${name}.key`)),
  ]);
  if (cert !== undefined && key !== undefined) return { cert, key };
  return writePair(directory, name, await createAuthority(commonName));
}

async function keptSigningKey(directory: string): Promise<SigningKey> {
  const file = join(directory, "service-account.key");
  const kept = await readIfPresent(file);
  const pair = kept === undefined ? createSigningKey() : signingKeyFrom(kept);
  await writeFile(file, pair.privateKey, { mode: 0o600 });
  await writeFile(join(directory, "service-account.pub"), pair.publicKey);
  return pair;
}

async function writePair(directory: string, name: string, pair: CertificatePair): Promise<CertificatePair> {
  await writeFile(join(directory, `${name}.key`), pair.key, { mode: 0o600 });
  await writeFile(join(directory, `${name}.crt`), pair.cert);
  return pair;
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
