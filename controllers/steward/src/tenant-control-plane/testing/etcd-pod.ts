import { DataStore } from "@butler/api";
import { EtcdAdmin } from "@butler/etcd";
import type { KubeClient } from "@butler/kube";
import { type CertificatePair, createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { sleep, systemClock, Timeout } from "@butler/std";
import { Pod } from "@butler/api-external";
import { Service } from "../../exposure/index.ts";
import { aDataStore } from "./objects.ts";

export interface EtcdPodOptions {
  readonly namespace: string;
  /** The name of the pod, its Service, its Secret and the DataStore. */
  readonly name: string;
  readonly image: string;
}

/** A shared store in a pod, as an installation creates it, and its administration. */
export interface EtcdPod {
  readonly endpoint: string;
  readonly admin: EtcdAdmin;
}

const encode = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));

/** Runs a one-member etcd in a pod, enables authentication, and declares it as a DataStore. */
export async function startEtcdPod(client: KubeClient, options: EtcdPodOptions): Promise<EtcdPod> {
  const { namespace, name } = options;
  const metadata = { name, namespace };
  const service = await client.create(Service, {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { selector: { app: name }, ports: [{ name: "client", port: 2379 }] },
  } as DynamicObject);
  const { clusterIP } = service["spec"] as { clusterIP: string };
  const authority = await createAuthority(`${name}-ca`);
  const [server, root] = await Promise.all([
    issueCertificate(authority, {
      commonName: name,
      usages: ["server", "client"],
      dnsNames: [`${name}.${namespace}.svc`, "localhost"],
      ipAddresses: [clusterIP, "127.0.0.1"],
    }),
    issueCertificate(authority, { commonName: "root", usages: ["client"] }),
  ]);
  await client.create(builtinKinds.Secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    data: encode({
      "ca.crt": authority.cert,
      "ca.key": authority.key,
      "server.crt": server.cert,
      "server.key": server.key,
      "root.crt": root.cert,
      "root.key": root.key,
    }),
  } as DynamicObject);
  await client.create(Pod, etcdPodManifest(options));
  const endpoint = `${clusterIP}:2379`;
  const admin = await openAdmin(endpoint, authority, root);
  await client.create(DataStore, aDataStore({ name, namespace, endpoint }));
  return { endpoint, admin };
}

async function openAdmin(endpoint: string, authority: CertificatePair, root: CertificatePair): Promise<EtcdAdmin> {
  const admin = new EtcdAdmin({ endpoints: [endpoint], ca: authority.cert, ...root });
  const deadline = systemClock.monotonicMs() + 60_000;
  while (!(await hasLeader(admin))) {
    if (systemClock.monotonicMs() > deadline) throw new Timeout(`etcd at ${endpoint} does not come up`);
    await sleep(systemClock, 100);
  }
  await admin.enableAuth();
  return admin;
}

async function hasLeader(admin: EtcdAdmin): Promise<boolean> {
  try {
    return (await admin.status()).leader !== undefined;
  } catch {
    // Still starting.
    return false;
  }
}

function etcdPodManifest({ namespace, name, image }: EtcdPodOptions): DynamicObject {
  const file = (key: string): string => `/etc/etcd/${key}`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app: name } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: "etcd",
          image,
          imagePullPolicy: "IfNotPresent",
          command: [
            "etcd",
            "--data-dir=/data/etcd",
            "--listen-client-urls=https://0.0.0.0:2379",
            `--advertise-client-urls=https://${name}.${namespace}.svc:2379`,
            "--listen-peer-urls=http://127.0.0.1:2380",
            "--client-cert-auth=true",
            `--trusted-ca-file=${file("ca.crt")}`,
            `--cert-file=${file("server.crt")}`,
            `--key-file=${file("server.key")}`,
          ],
          volumeMounts: [
            { name: "keys", mountPath: "/etc/etcd", readOnly: true },
            { name: "data", mountPath: "/data" },
          ],
        },
      ],
      volumes: [
        { name: "keys", secret: { secretName: name } },
        { name: "data", emptyDir: {} },
      ],
    },
  };
}
