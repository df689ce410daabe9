import { type CertificatePair, createAuthority, type KeyAlgorithm } from "@butler/pki";
import {
  type SecretBlueprint,
  secretBlueprints,
  type SecretContent,
} from "../../../controllers/steward/src/tenant-control-plane/secrets/secret-blueprint.ts";
import { makeSecretData } from "../../../controllers/steward/src/tenant-control-plane/secrets/make-secret-data.ts";
import { pairIn, type SecretData } from "../../../controllers/steward/src/tenant-control-plane/secrets/secret-data.ts";
import { aControlPlane } from "../../../controllers/steward/src/tenant-control-plane/testing/objects.ts";

const yearMs = 365 * 86_400_000;

/** CPU seconds of all threads for every key and certificate of one tenant. */
export async function keyCpuSeconds(algorithm: KeyAlgorithm, tenants: number): Promise<number> {
  const blueprints = blueprintsOfOne();
  const store = await createAuthority("etcd-ca");
  const before = process.cpuUsage();
  for (let tenant = 0; tenant < tenants; tenant++) await makeAll(blueprints, { algorithm, store });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / tenants;
}

function blueprintsOfOne(): SecretBlueprint[] {
  const dnsNames = ["localhost", "kubernetes", "kubernetes.default.svc", "blue.tenants.svc"];
  const ipAddresses = ["127.0.0.1", "10.96.0.1", "10.217.0.9"];
  return secretBlueprints({
    tcp: aControlPlane(),
    reach: { server: "https://10.217.0.9:6443", dnsNames, ipAddresses },
    store: { dataStore: "default", user: "tenant-blue", ownEtcd: undefined },
  });
}

interface Making {
  readonly algorithm: KeyAlgorithm;
  /** Signs for the store, whose CA exists before any tenant. */
  readonly store: CertificatePair;
}

/** As in Steward: concurrently, except that a certificate waits for its CA. */
async function makeAll(blueprints: readonly SecretBlueprint[], { algorithm, store }: Making): Promise<void> {
  const issue = { algorithm, lifetimeMs: yearMs, authorityLifetimeMs: 10 * yearMs };
  const made = new Map<string, Promise<SecretData>>();
  const signerOf = async (content: SecretContent): Promise<CertificatePair> => {
    const signer = "signer" in content ? content.signer : undefined;
    const data = signer && (await made.get(signer.id));
    return signer === undefined || data === undefined ? store : pairIn(data, signer.files);
  };
  for (const { id, content } of blueprints) {
    const make = async (): Promise<SecretData> =>
      makeSecretData(content, { issue, now: new Date(), signer: await signerOf(content) });
    made.set(id, make());
  }
  await Promise.all(made.values());
}
