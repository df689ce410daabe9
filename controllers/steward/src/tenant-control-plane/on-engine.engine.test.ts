import { Agent, request } from "node:https";
import { DataStore, TenantControlPlane } from "@butler/api";
import { Pod } from "@butler/api-external";
import type { LocalEngine } from "@butler/engine";
import { type ConnectedClient, connect, installCrds, loadKubeConfig, readTenantKubeconfig } from "@butler/kube";
import { builtinKinds, findCondition, type Kind } from "@butler/resource";
import { canHostEngine, eventually, removeNamespace, sharedEngine } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { etcdKinds, tenantIdentity } from "../data-store/index.ts";
import { Deployment } from "./kinds.ts";
import { textIn } from "./secrets/secret-data.ts";
import { type EtcdPod, startEtcdPod } from "./testing/etcd-pod.ts";
import type { ControlPlaneTraits } from "./testing/objects.ts";
import { runSteward } from "./testing/run-steward.ts";
import { secretDataOf, TestTenant } from "./testing/tenant-harness.ts";

const minutes = 60_000;

const storeNamespace = "stores";
const madeNamespaces: string[] = [];

let engine: LocalEngine;
let connected: ConnectedClient;
let store: EtcdPod;
let steward: Awaited<ReturnType<typeof runSteward>>;

/** A control plane in a namespace that enforces the restricted Pod Security Standard. */
async function createTenant(namespace: string, traits: ControlPlaneTraits): Promise<TestTenant> {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } };
  await connected.client.create(builtinKinds.Namespace, body);
  madeNamespaces.push(namespace);
  const tenant = new TestTenant(connected.client, namespace, traits);
  await tenant.create();
  return tenant;
}

async function ready(tenant: TestTenant): Promise<void> {
  let last: unknown;
  await eventually(
    async () => {
      last = (await tenant.controlPlane()).status?.conditions;
      return tenant.says("Ready", "UpAndRunning");
    },
    { timeoutMs: 3 * minutes, intervalMs: 100, what: () => `a ready control plane; last ${JSON.stringify(last)}` },
  );
}

/** The kubeconfig of the tenant's administrator. */
async function kubeconfigOf(tenant: TestTenant): Promise<ReturnType<typeof readTenantKubeconfig>> {
  const data = secretDataOf(await tenant.secret("admin-kubeconfig"));
  return readTenantKubeconfig(textIn(data, "admin.conf") ?? "");
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request to a tenant's API server, with the admin certificate or anonymously. */
async function ask(tenant: TestTenant, path: string, { agent, asStranger = false }: AskOptions = {}): Promise<Answer> {
  const config = await kubeconfigOf(tenant);
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  const decoded = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64");
  const identity = asStranger ? {} : { cert: decoded(user?.certData), key: decoded(user?.keyData) };
  return new Promise((resolve, reject) => {
    const url = `${cluster?.server ?? ""}${path}`;
    const options = { ca: decoded(cluster?.caData), ...identity, agent: agent ?? false, timeout: 10_000 };
    const call = request(url, options, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    call.on("error", reject);
    call.on("timeout", () => call.destroy(new Error("no answer within 10 s")));
    call.end();
  });
}

interface AskOptions {
  readonly agent?: Agent;
  readonly asStranger?: boolean;
}

/** Sends requests continuously, on a kept connection and on new ones, and counts failures. */
function keepAsking(tenant: TestTenant) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  const send = (): void => {
    sent++;
    const asked = ask(tenant, "/api/v1/namespaces/default", sent % 2 === 0 ? { agent } : {})
      .then(({ status, body }) => void (status === 200 ? undefined : failures.push(`${status} ${body}`)))
      .catch((error: unknown) => void failures.push(String(error)))
      .finally(() => underWay.delete(asked));
    underWay.add(asked);
  };
  const timer = setInterval(send, 50);
  return async (): Promise<{ sent: number; failures: string[] }> => {
    clearInterval(timer);
    await Promise.all(underWay);
    agent.destroy();
    return { sent, failures };
  };
}

describe.runIf(canHostEngine)("a control plane on the engine", { timeout: 5 * minutes }, () => {
  beforeAll(async () => {
    engine = await sharedEngine("bare");
    await engine.provideImages(["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"]);
    connected = connect(loadKubeConfig(engine.paths.kubeconfig));
    const { client } = connected;
    await installCrds(client, [DataStore, TenantControlPlane]);
    const namespace = storeNamespace;
    await client.create(builtinKinds.Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const image = (await engine.images()).find((name) => name.includes("/etcd:")) ?? "";
    store = await startEtcdPod(client, { namespace, name: "shared", image });
    steward = await runSteward(client);
  }, 5 * minutes);
  afterAll(async () => {
    if (connected === undefined) return;
    const { client } = connected;
    for (const { metadata } of (await client.list(DataStore)).items) await client.delete(DataStore, metadata);
    await eventually(async () => (await client.list(DataStore)).items.length === 0, { what: "the end of the stores" });
    await steward?.stop();
    store?.admin.close();
    for (const name of [storeNamespace, ...madeNamespaces]) await removeNamespace(client, name);
    await connected.close();
  }, 2 * minutes);

  it("serves its administrator, and anonymous clients only health and cluster-info", async () => {
    const tenant = await createTenant("plain", { deployment: { replicas: 1 } });
    await ready(tenant);
    expect(await ask(tenant, "/readyz")).toEqual({ status: 200, body: "ok" });
    expect((await ask(tenant, "/api/v1/nodes")).status).toBe(200);
    expect((await ask(tenant, "/readyz", { asStranger: true })).status).toBe(200);
    const info = await ask(tenant, "/api/v1/namespaces/kube-public/configmaps/cluster-info", { asStranger: true });
    expect(info.status).toBe(200);
    for (const path of ["/version", "/api", "/api/v1/namespaces/kube-public/configmaps"]) {
      expect((await ask(tenant, path, { asStranger: true })).status, path).toBe(401);
    }
    const slice = await ask(tenant, "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes");
    const { controlPlaneEndpoint = "" } = (await tenant.controlPlane()).status ?? {};
    const [address] = controlPlaneEndpoint.split(":");
    expect(JSON.parse(slice.body)).toMatchObject({ endpoints: [{ addresses: [address] }], ports: [{ port: 6443 }] });

    await tenant.delete();
    await eventually(() => tenant.isGone(), { what: "the end of the control plane" });
    const { user, prefix } = tenantIdentity(tenant.uid);
    expect(await store.admin.listUsers()).not.toContain(user);
    expect(await store.admin.countKeys(prefix)).toBe(0);
  });

  it("loses no request while a rotation replaces its pods", async () => {
    const tenant = await createTenant("rolling", { deployment: { replicas: 2 } });
    await ready(tenant);
    const before = await tenant.names(Pod);
    const stop = keepAsking(tenant);
    await tenant.rotate("api-server-certificate");
    const isRolled = async (): Promise<boolean> => (await tenant.names(Pod)).every((name) => !before.includes(name));
    await eventually(isRolled, { timeoutMs: 2 * minutes, intervalMs: 250, what: "other pods" });
    const { sent, failures } = await stop();
    expect(failures).toEqual([]);
    expect(sent).toBeGreaterThan(100);
    await ready(tenant);
    await tenant.delete();
    await eventually(() => tenant.isGone());
  });

  it("reports the missing image of an unknown version, and keeps serving", async () => {
    const tenant = await createTenant("missing", { deployment: { replicas: 1 } });
    await ready(tenant);
    await tenant.patchSpec({ kubernetes: { version: "v1.36.99" } });
    const available = async () => findCondition((await tenant.controlPlane()).status?.conditions, "Available");
    await eventually(
      async () => /cannot pull image .*kube-apiserver:v1\.36\.99/.test((await available())?.message ?? ""),
      {
        timeoutMs: minutes,
        what: "the name of the image",
      },
    );
    const { status } = await tenant.controlPlane();
    expect(status?.kubernetesResources?.version).toEqual({ version: "v1.36.3", status: "Upgrading" });
    expect((await available())?.status).toBe("True");
    expect((await ask(tenant, "/readyz")).body).toBe("ok");
    await tenant.patchSpec({ kubernetes: { version: "v1.36.3" } });
    await ready(tenant);
    await tenant.delete();
    await eventually(() => tenant.isGone());
  });

  it("can have a dedicated etcd, which is deleted with it", async () => {
    const { client } = connected;
    const dataStore = {
      apiVersion: DataStore.apiVersion,
      kind: DataStore.kind,
      metadata: { name: "own" },
      spec: { driver: "etcd", dedicated: { members: 1, storage: { size: "1Gi" } } },
    };
    await client.create(DataStore, dataStore);
    const tenant = await createTenant("own", { deployment: { replicas: 1 }, spec: { dataStore: "own" } });
    await ready(tenant);
    expect((await ask(tenant, "/readyz")).body).toBe("ok");
    await tenant.delete();
    const volumes: Kind = { ...Pod, kind: "PersistentVolumeClaim", plural: "persistentvolumeclaims" };
    for (const kind of [Pod, Deployment, etcdKinds.StatefulSet, builtinKinds.Secret, volumes]) {
      const isEmpty = async (): Promise<boolean> => (await tenant.names(kind)).length === 0;
      await eventually(isEmpty, { timeoutMs: 2 * minutes, intervalMs: 250, what: `the end of each ${kind.kind}` });
    }
  });
});
