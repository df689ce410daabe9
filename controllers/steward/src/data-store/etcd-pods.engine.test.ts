import { DataStore } from "@butler/api";
import { Pod } from "@butler/api-external";
import type { LocalEngine } from "@butler/engine";
import { EtcdAdmin } from "@butler/etcd";
import { SlowProxy } from "@butler/etcd/testing";
import { type ConnectedClient, connect, installCrds, loadKubeConfig } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { canHostEngine, eventually, removeNamespace, sharedEngine } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedEtcdPlace } from "./default-data-store.ts";
import { etcdPorts, memberNames } from "./etcd-names.ts";
import { etcdKinds } from "./kinds.ts";
import { tenantIdentity } from "./tenant-identity.ts";
import { defaultDataStoreObjects, type EtcdCertificates, issueEtcdCertificates } from "./testing/shared-etcd.ts";

const namespace = "steward-system";
const place = sharedEtcdPlace({ namespace });
const tenant = tenantIdentity("uid-of-blue");

let engine: LocalEngine;
let connected: ConnectedClient;
let certificates: EtcdCertificates;
const proxies: SlowProxy[] = [];

async function podOf(member: string): Promise<Pod | undefined> {
  return (await connected.client.find(Pod, { name: member, namespace })) as Pod | undefined;
}

async function membersReady(): Promise<Pod[]> {
  let seen: unknown;
  return eventually(
    async () => {
      const pods = await Promise.all(memberNames(place).map(podOf));
      seen = pods.map((pod) => [pod?.metadata.name, pod?.status?.phase, pod?.status?.containerStatuses]);
      const isReady = (pod: Pod | undefined): pod is Pod =>
        pod?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
      return pods.every(isReady) && pods;
    },
    { timeoutMs: 120_000, intervalMs: 250, what: () => `three ready members: ${JSON.stringify(seen)}` },
  );
}

/** Connects to the members by addresses that their certificates cover. */
async function connectAdmin(pods: readonly Pod[]): Promise<EtcdAdmin> {
  const endpoints: string[] = [];
  for (const { status } of pods) {
    const proxy = new SlowProxy(`${status?.podIP ?? ""}:${etcdPorts.client}`);
    proxies.push(proxy);
    endpoints.push(await proxy.start());
  }
  return new EtcdAdmin({ endpoints, ca: certificates.ca.cert, ...certificates.root });
}

describe.runIf(canHostEngine)("the etcd that comes with an installation", { timeout: 300_000 }, () => {
  beforeAll(async () => {
    engine = await sharedEngine("bare");
    await engine.provideImages(["etcd"]);
    connected = connect(loadKubeConfig(engine.paths.kubeconfig));
    const { client } = connected;
    await installCrds(client, [DataStore]);
    const metadata = {
      name: namespace,
      // The API server itself judges whether the pods ask for more than they should.
      labels: { "pod-security.kubernetes.io/enforce": "restricted" },
    };
    await client.create(builtinKinds.Namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    certificates = await issueEtcdCertificates(place);
    const resources = { requests: { cpu: "50m", memory: "64Mi" } };
    const storage = { size: "1Gi" };
    const kinds = [builtinKinds.Secret, DataStore, ...Object.values(etcdKinds)];
    for (const object of defaultDataStoreObjects({ namespace, certificates, storage, resources })) {
      const kind = kinds.find((candidate) => candidate.kind === object.kind) ?? DataStore;
      await client.apply(kind, object, { fieldManager: "test" });
    }
  }, 300_000);
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    if (connected === undefined) return;
    for (const { metadata } of (await connected.client.list(DataStore)).items)
      await connected.client.delete(DataStore, metadata);
    await removeNamespace(connected.client, namespace);
    await connected.close();
  }, 120_000);

  it("forms a cluster, accepts tenants, and stays available while a member is replaced", async () => {
    const pods = await membersReady();
    const admin = await connectAdmin(pods);
    await admin.enableAuth();
    await admin.ensureTenant(tenant);
    expect(await admin.status()).toMatchObject({ memberCount: 3, alarms: [], isAuthEnabled: true });

    const [first] = memberNames(place);
    const uid = pods[0]?.metadata.uid;
    await connected.client.delete(Pod, { name: first ?? "", namespace });
    await admin.ensureTenant(tenantIdentity("uid-of-green"));
    await eventually(async () => (await podOf(first ?? ""))?.metadata.uid !== uid, { what: "another pod" });
    const again = await connectAdmin(await membersReady());
    expect((await again.status()).endpoints.every(({ fault }) => fault === undefined)).toBe(true);
    expect(await again.listUsers()).toEqual(["root", tenant.user, "tenant-uid-of-green"].sort());
    admin.close();
    again.close();
  });
});
