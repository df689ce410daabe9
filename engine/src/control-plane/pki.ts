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
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../replace-file.ts";

/** The first address of the Service range, which would be the API server's address for pods. */
export const kubernetesServiceAddress = "10.96.0.1";

/** The Service range of the isolated control plane. */
export const serviceRange = "10.96.0.0/16";

/** Keys and certificates of one control plane, and the directory that holds them as `<name>.crt` and `<name>.key`. */
export interface Pki {
  readonly directory: string;
  /** Signs the certificates of the API server and its clients. */
  readonly authority: CertificatePair;
  readonly admin: CertificatePair;
  readonly controllerManager: CertificatePair;
  readonly etcdAuthority: CertificatePair;
  readonly etcdClient: CertificatePair;
  readonly serviceAccount: SigningKey;
}

/** Additional settings of a control plane's certificates. */
export interface PkiNeeds {
  /** Additional addresses of the API server. */
  readonly apiServerAddresses?: readonly string[];
  /** Additional certificates signed by the API server's CA, by file name; they replace the usual ones. */
  readonly further?: Readonly<Record<string, CertificateRequest>>;
  /** Lifetime of certificates; a year by default. */
  readonly certificateLifetimeMs?: number | undefined;
  /** Whether the keys have to survive a power loss, which takes a little time. */
  readonly isDurable?: boolean;
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

/**
 * etcd's client uses the file name of a Unix socket as the server name, so the certificate contains the sockets' names.
 */
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
 * Prepares the keys of a control plane. Keys of an earlier start are kept, so that clients and tokens stay valid; a
 * certificate in the last third of its lifetime, or with another purpose than now, is reissued. etcd and the front
 * proxy have their own CAs, so that clients of the API server can neither connect to etcd nor impersonate another user.
 */
export async function preparePki(directory: string, needs: PkiNeeds = {}): Promise<Pki> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const folder = { directory, flush: needs.isDurable === true };
  const authority = await keptAuthority(folder, "ca", "butler-ca");
  const etcdAuthority = await keptAuthority(folder, "etcd-ca", "butler-etcd-ca");
  const { certificateLifetimeMs: lifetimeMs } = needs;
  const issue = (name: string, from: CertificatePair, request: CertificateRequest): Promise<CertificatePair> =>
    keptCertificate(folder, name, { authority: from, request, lifetimeMs });
  const frontProxyAuthority = await keptAuthority(folder, "front-proxy-ca", "butler-front-proxy-ca");
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
    serviceAccount: await keptSigningKey(folder),
  };
  for (const [name, request] of Object.entries(others)) await issue(name, authority, request);
  return pki;
}

interface KeyFolder {
  readonly directory: string;
  readonly flush: boolean;
}

async function keptAuthority(folder: KeyFolder, name: string, commonName: string): Promise<CertificatePair> {
  const kept = await readPair(folder, name);
  return kept ?? writePair(folder, name, await createAuthority(commonName));
}

interface Issuance {
  readonly authority: CertificatePair;
  readonly request: CertificateRequest;
  readonly lifetimeMs: number | undefined;
}

/**
 * The certificate of an earlier start while it is valid: with the same properties, and at least a third of its lifetime
 * left.
 */
async function keptCertificate(
  folder: KeyFolder,
  name: string,
  { authority, request, lifetimeMs }: Issuance,
): Promise<CertificatePair> {
  const kept = await readPair(folder, name);
  const now = new Date();
  if (kept !== undefined && faultOf(kept, { request, authority: authority.cert, now }) === undefined) return kept;
  const life = lifetimeMs === undefined ? {} : { lifetimeMs };
  return writePair(folder, name, await issueCertificate(authority, request, { now, ...life }));
}

async function keptSigningKey({ directory, flush }: KeyFolder): Promise<SigningKey> {
  const [file, publicFile] = [join(directory, "service-account.key"), join(directory, "service-account.pub")];
  const kept = await readIfPresent(file);
  const pair = kept === undefined ? await createSigningKey() : signingKeyFrom(kept);
  if (kept === undefined) replaceFile(file, pair.privateKey, { flush });
  // A running program may be reading it.
  if ((await readIfPresent(publicFile)) !== pair.publicKey) replaceFile(publicFile, pair.publicKey, { flush });
  return pair;
}

async function readPair({ directory }: KeyFolder, name: string): Promise<CertificatePair | undefined> {
  const [cert, key] = await Promise.all([
    readIfPresent(join(directory, `${name}.crt`)),
    readIfPresent(join(directory, `${name}.key`)),
  ]);
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

function writePair({ directory, flush }: KeyFolder, name: string, pair: CertificatePair): CertificatePair {
  replaceFile(join(directory, `${name}.key`), pair.key, { flush });
  replaceFile(join(directory, `${name}.crt`), pair.cert, { flush, mode: 0o644 });
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
