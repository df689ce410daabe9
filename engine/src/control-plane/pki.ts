import {
  type CertificatePair,
  type CertificateRequest,
  createAuthority,
  createSigningKey,
  faultOf,
  issueCertificate,
  type SigningKey,
  signingKeyFrom,
} from "@butler/pki";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

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

/** What a control plane needs beyond the usual. */
export interface PkiNeeds {
  /** Further addresses at which the API server is reached. */
  readonly apiServerAddresses?: readonly string[];
  /** Further certificates that the API server's authority signs, by file name; they replace the usual ones. */
  readonly further?: Readonly<Record<string, CertificateRequest>>;
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
 * Prepares the keys of a control plane. What an earlier start made is kept, so that clients and tokens stay valid; a
 * certificate in the last third of its life, or for another purpose than now, is issued anew.
 * etcd and the API server's calls to extension servers have authorities of their own: nobody whom the API server
 * knows may thereby talk to etcd or speak for another user.
 */
export async function preparePki(directory: string, needs: PkiNeeds = {}): Promise<Pki> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const authority = await keptAuthority(directory, "ca", "butler-ca");
  const etcdAuthority = await keptAuthority(directory, "etcd-ca", "butler-etcd-ca");
  const issue = (name: string, from: CertificatePair, request: CertificateRequest): Promise<CertificatePair> =>
    keptCertificate(directory, name, { authority: from, request });
  const frontProxyAuthority = await keptAuthority(directory, "front-proxy-ca", "butler-front-proxy-ca");
  await issue("front-proxy-client", frontProxyAuthority, { commonName: "front-proxy-client", usages: ["client"] });
  const ipAddresses = [...(apiServerRequest.ipAddresses ?? []), ...(needs.apiServerAddresses ?? [])];
  await issue("kube-apiserver", authority, { ...apiServerRequest, ipAddresses });
  await issue("etcd", etcdAuthority, etcdServerRequest);
  const { "kube-controller-manager": controllerManager = controllerManagerRequest, ...others } = needs.further ?? {};
  const pki = {
    directory,
    authority,
    etcdAuthority,
    admin: await issue("admin", authority, adminRequest),
    controllerManager: await issue("kube-controller-manager", authority, controllerManager),
    etcdClient: await issue("etcd-client", etcdAuthority, { commonName: "kube-apiserver", usages: ["client"] }),
    serviceAccount: await keptSigningKey(directory),
  };
  for (const [name, request] of Object.entries(others)) await issue(name, authority, request);
  return pki;
}

async function keptAuthority(directory: string, name: string, commonName: string): Promise<CertificatePair> {
  const kept = await readPair(directory, name);
  return kept ?? writePair(directory, name, await createAuthority(commonName));
}

/** The certificate of an earlier start while it is good: the same in every respect, and a third of its life ahead. */
async function keptCertificate(
  directory: string,
  name: string,
  { authority, request }: { authority: CertificatePair; request: CertificateRequest },
): Promise<CertificatePair> {
  const kept = await readPair(directory, name);
  const now = new Date();
  if (kept !== undefined && faultOf(kept, { request, authority: authority.cert, now }) === undefined) return kept;
  return writePair(directory, name, await issueCertificate(authority, request, { now }));
}

async function keptSigningKey(directory: string): Promise<SigningKey> {
  const file = join(directory, "service-account.key");
  const kept = await readIfPresent(file);
  const pair = kept === undefined ? await createSigningKey() : signingKeyFrom(kept);
  await writeFile(file, pair.privateKey, { mode: 0o600 });
  await writeFile(join(directory, "service-account.pub"), pair.publicKey);
  return pair;
}

async function readPair(directory: string, name: string): Promise<CertificatePair | undefined> {
  const [cert, key] = await Promise.all([
    readIfPresent(join(directory, `${name}.crt`)),
    readIfPresent(join(directory, `${name}.key`)),
  ]);
  return cert === undefined || key === undefined ? undefined : { cert, key };
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
