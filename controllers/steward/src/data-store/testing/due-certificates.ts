import type { KubeClient } from "@butler/kube";
import { type CertificatePair, type CertificateRequest, faultOf, issueCertificate, readCertificate } from "@butler/pki";
import { builtinKinds } from "@butler/resource";
import { textOf } from "../content-ref.ts";
import { dataStoreLabel, signedByAnnotation } from "../names.ts";
import { storeNamespace, storeSecret, type StoreHarness } from "./store-harness.ts";

const hourMs = 3_600_000;
const lifetimeMs = 48 * hourMs;
const signerSecret = "store-ca";

/** The client's certificate, which the DataStore refers to, and the one that a store would serve with. */
const requests: Readonly<Record<string, CertificateRequest>> = {
  [storeSecret]: { commonName: "root", usages: ["client"] },
  "store-server": {
    commonName: "etcd",
    usages: ["server", "client"],
    dnsNames: ["etcd.steward-system.svc"],
    ipAddresses: ["127.0.0.1"],
  },
};

/** Certificates of a store created by Steward that are due for renewal, and their later state. */
export class DueCertificates {
  readonly #client: KubeClient;
  readonly #harness: StoreHarness;
  readonly #renewed = new Map<string, Set<string>>();

  constructor(client: KubeClient, harness: StoreHarness) {
    this.#client = client;
    this.#harness = harness;
  }

  /** Writes certificates past three quarters of their lifetime into the Secrets of a DataStore. */
  async create(dataStore: string): Promise<void> {
    const { authority } = this.#harness;
    const labels = { [dataStoreLabel]: dataStore };
    const signer = { "ca.crt": authority.cert, "ca.key": authority.key };
    await this.#harness.createSecret(signerSecret, { texts: signer, labels });
    const now = new Date(Date.now() - (lifetimeMs * 3) / 4);
    for (const [name, request] of Object.entries(requests)) {
      const { cert, key } = await issueCertificate(authority, request, { now, lifetimeMs });
      const texts = { ...signer, "tls.crt": cert, "tls.key": key };
      await this.#harness.createSecret(name, { texts, labels, annotations: { [signedByAnnotation]: signerSecret } });
    }
  }

  /** Records the current certificates, except those that still have to be renewed. */
  async note(): Promise<void> {
    for (const [name, request] of Object.entries(requests)) {
      const { pair, fault } = await this.#judge(name, request);
      const seen = this.#renewed.get(name) ?? new Set();
      this.#renewed.set(name, fault === undefined ? seen.add(pair.cert) : seen);
    }
  }

  /** The state of each certificate: its fault, how often it was replaced, and its lifetime. */
  async describe(): Promise<unknown> {
    await this.note();
    return Promise.all(
      Object.entries(requests).map(async ([name, request]) => {
        const { pair, fault } = await this.#judge(name, request);
        const { notBefore, notAfter } = readCertificate(pair.cert);
        const hours = Math.round((notAfter.getTime() - notBefore.getTime()) / hourMs);
        return { name, fault, renewals: this.#renewed.get(name)?.size, hours };
      }),
    );
  }

  async #judge(name: string, request: CertificateRequest): Promise<{ pair: CertificatePair; fault?: string }> {
    const secret = await this.#client.get(builtinKinds.Secret, { name, namespace: storeNamespace });
    const pair = { cert: textOf(secret, "tls.crt") ?? "", key: textOf(secret, "tls.key") ?? "" };
    const fault = faultOf(pair, { now: new Date(), authority: this.#harness.authority.cert, request });
    return fault === undefined ? { pair } : { pair, fault };
  }
}
