import { DataStore, NetworkPool, TenantCluster, TenantControlPlane } from "@butler/api";
import { Pod } from "@butler/api-external";
import type { Session } from "@butler/cli-session";
import { deployedRevision, findReleases, type Release } from "@butler/helm";
import { readCertificate } from "@butler/pki";
import { builtinKinds, type DynamicObject, type Kind } from "@butler/resource";
import { isRecord } from "@butler/std";
import type { CertificateExpiry, PlatformFacts } from "./facts.ts";
import { TolerantReader } from "./tolerant-reader.ts";

const { CustomResourceDefinition, Deployment, Lease, Secret } = builtinKinds;

function configurationKind(kind: string): Kind {
  const group = "admissionregistration.k8s.io";
  return { group, version: "v1", kind, plural: `${kind.toLowerCase()}s`, scope: "Cluster" };
}

/** The webhook configurations of the API server. */
export const webhookKinds: readonly Kind[] = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"].map(
  configurationKind,
);

/** Namespace of an installation, and the current time. */
export interface Look {
  readonly namespace: string;
  readonly now: Date;
}

/** The API groups that Butler provides or needs. */
const groups = /\.(.*\.)?(butlerlabs\.dev|cluster\.x-k8s\.io)$/;

/** Reads the facts about an installation. Unreadable objects are omitted and noted. */
export async function readPlatform(session: Session, { namespace, now }: Look): Promise<PlatformFacts> {
  const reader = new TolerantReader(session);
  const { transport, signal } = session;
  const { gitVersion } = await transport.json<{ gitVersion: string }>({
    method: "GET",
    path: "/version",
    signal,
    action: "get the version",
  });
  const [history, deployments, pods, leases, definitions, configurations] = await Promise.all([
    readHistory(reader, session, namespace),
    reader.list(Deployment, { namespace, labelSelector: "app.kubernetes.io/name=butler" }),
    reader.list(Pod, { namespace }),
    reader.list(Lease, { namespace }),
    reader.list(CustomResourceDefinition),
    Promise.all(webhookKinds.map((kind) => reader.list(kind))),
  ]);
  const [clusters, controlPlanes, dataStores, pools, ownCertificates] = await Promise.all([
    reader.list(TenantCluster),
    reader.list(TenantControlPlane),
    reader.list(DataStore),
    reader.list(NetworkPool),
    readCertificates(reader, { namespace, tlsSecret: tlsSecretOf(history) }),
  ]);
  return {
    now,
    namespace,
    kubernetes: gitVersion,
    history,
    deployments: deployments.sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1)),
    pods: pods as unknown as Pod[],
    leases,
    definitions: definitions.filter(({ metadata }) => groups.test(metadata.name)),
    webhooks: configurations.flat().filter(({ metadata }) => metadata.name.startsWith("butler-")),
    ownCertificates,
    clusters,
    controlPlanes,
    dataStores,
    pools,
    unreadable: reader.unreadable,
  };
}

async function readHistory(
  reader: TolerantReader,
  { client, signal }: Session,
  namespace: string,
): Promise<readonly Release[]> {
  const found = await reader.attempt("Helm's releases", () =>
    findReleases(client, { name: "butler", namespace, signal }),
  );
  return (found?.releases ?? []).filter(({ chart }) => chart.name === "butler");
}

function tlsSecretOf(history: readonly Release[]): string | undefined {
  const server = deployedRevision(history)?.values["server"];
  const tls = isRecord(server) ? server["tls"] : undefined;
  const name = isRecord(tls) ? tls["secretName"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}

async function readCertificates(
  reader: TolerantReader,
  { namespace, tlsSecret }: { readonly namespace: string; readonly tlsSecret: string | undefined },
): Promise<CertificateExpiry[]> {
  const secrets = await reader.list(Secret, { namespace });
  return secrets
    .filter(({ metadata: { name } }) => /^butler-[a-z-]+-webhook$/.test(name) || name === tlsSecret)
    .flatMap((secret) => [...certificatesIn(secret)]);
}

function* certificatesIn(secret: DynamicObject): Generator<CertificateExpiry> {
  const data = isRecord(secret["data"]) ? secret["data"] : {};
  for (const file of ["tls.crt", "authority.crt"]) {
    const value = data[file];
    if (typeof value !== "string") continue;
    const what = `${file} in Secret ${secret.metadata.name}`;
    try {
      const { notAfter } = readCertificate(Buffer.from(value, "base64").toString());
      yield { what, notAfter: notAfter.toISOString() };
    } catch {
      yield { what: `${what} (unreadable)`, notAfter: new Date(0).toISOString() };
    }
  }
}
