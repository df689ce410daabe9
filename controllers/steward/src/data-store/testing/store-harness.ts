import { DataStore, TenantControlPlane } from "@butler/api";
import { ensureTools } from "@butler/engine";
import type { EtcdConnection } from "@butler/etcd";
import { EtcdKeys, EtcdProcess } from "@butler/etcd/testing";
import type { KubeClient } from "@butler/kube";
import { type CertificatePair, createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { aControlPlane } from "./objects.ts";

/** Text in base64, as in the data of a Secret. */
export function encodedTexts(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
}

/** A DataStore whose contents are all in one Secret. */
export function dataStoreAt(name: string, endpoints: readonly string[], secret = storeSecret): KubeObject {
  const key = (keyPath: string) => ({ secretReference: { name: secret, namespace: storeNamespace, keyPath } });
  const tlsConfig = {
    certificateAuthority: { certificate: key("ca.crt"), privateKey: key("ca.key") },
    clientCertificate: { certificate: key("tls.crt"), privateKey: key("tls.key") },
  };
  return {
    apiVersion: DataStore.apiVersion,
    kind: DataStore.kind,
    metadata: { name },
    spec: { driver: "etcd", endpoints, tlsConfig },
  } as KubeObject;
}

/** The namespace of all namespaced objects. */
export const storeNamespace = "steward-system";
/** The Secret that DataStores reference by default. */
export const storeSecret = "etcd-certs";

/** A management cluster with the kinds of stores, and the stores of a test file. */
export async function startStores(
  options: { readonly withControllerManager?: boolean } = {},
): Promise<{ readonly cluster: TestCluster; readonly harness: StoreHarness }> {
  const cluster = await aTestCluster({ resources: [DataStore, TenantControlPlane], ...options });
  try {
    await cluster.createNamespace(storeNamespace);
    return { cluster, harness: await StoreHarness.create(cluster.client, (await ensureTools(["etcd"])).etcd) };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Real stores, and the objects that describe them in a real API server. */
export class StoreHarness {
  readonly #client: KubeClient;
  readonly #program: string;
  readonly authority: CertificatePair;
  readonly #undo: (() => unknown)[] = [];

  private constructor(client: KubeClient, program: string, authority: CertificatePair) {
    this.#client = client;
    this.#program = program;
    this.authority = authority;
  }

  static async create(client: KubeClient, program: string): Promise<StoreHarness> {
    return new StoreHarness(client, program, await createAuthority("stores-test"));
  }

  /** Registers a cleanup for the end of the test. */
  later(step: () => unknown): void {
    this.#undo.push(step);
  }

  issue(commonName: string): Promise<CertificatePair> {
    const request = { commonName, usages: ["server", "client"] as const, ipAddresses: ["127.0.0.1"] };
    return issueCertificate(this.authority, request);
  }

  /** Starts an empty etcd, with a Secret for DataStores to reference. */
  async startEtcd(): Promise<EtcdProcess> {
    const { authority } = this;
    const issue = (commonName: string): Promise<CertificatePair> => this.issue(commonName);
    const etcd = await EtcdProcess.start({ program: this.#program, authority, issue });
    this.later(() => etcd.stop());
    await this.putSecret(await this.issue("root"));
    return etcd;
  }

  /** A client of a store. */
  keysOf(connection: EtcdConnection): EtcdKeys {
    const keys = new EtcdKeys(connection);
    this.later(() => keys.close());
    return keys;
  }

  /** Writes a Secret with a CA and a client certificate. */
  async putSecret(pair: CertificatePair, signer = this.authority): Promise<void> {
    const texts = { "ca.crt": signer.cert, "ca.key": signer.key, "tls.crt": pair.cert, "tls.key": pair.key };
    await this.createSecret(storeSecret, { texts });
  }

  async createSecret(
    name: string,
    { texts, ...metadata }: { texts: Record<string, string>; labels?: object; annotations?: object },
  ): Promise<void> {
    const key = { name, namespace: storeNamespace };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { ...key, ...metadata }, data: encodedTexts(texts) };
    await this.#client.apply(builtinKinds.Secret, secret as KubeObject, { fieldManager: "test" });
    this.later(() => this.#client.delete(builtinKinds.Secret, key).catch(ignoreNotFound));
  }

  async createStore(name: string, endpoints: readonly string[], secret?: string): Promise<void> {
    await this.#client.create(DataStore, dataStoreAt(name, endpoints, secret));
  }

  async createControlPlane(name: string, dataStore: string): Promise<void> {
    const { apiVersion, kind, spec } = aControlPlane({ spec: { dataStore } });
    const metadata = { name, namespace: storeNamespace };
    await this.#client.create(TenantControlPlane, { apiVersion, kind, metadata, spec } as KubeObject);
  }

  /** Stops and removes everything in reverse order. After a failure, the next call continues with the rest. */
  async tidy(): Promise<void> {
    for (let step = this.#undo.pop(); step !== undefined; step = this.#undo.pop()) await step();
    for (const kind of [TenantControlPlane, DataStore]) {
      for (const { metadata } of (await this.#client.list(kind)).items) {
        const patch = { metadata: { finalizers: null } };
        await this.#client.patch(kind, metadata, { type: "merge", patch }).catch(ignoreNotFound);
        await this.#client.delete(kind, metadata).catch(ignoreNotFound);
      }
    }
  }
}
