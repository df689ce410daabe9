import { once } from "node:events";
import { request } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { allResources, ButlerConfig, NetworkPool, ProviderConfig, Team, TenantCluster } from "@butler/api";
import { Cluster } from "@butler/api-external";
import { connect, installCrds, loadKubeConfig } from "@butler/kube";
import { KubevirtCluster, KubevirtMachineTemplate } from "@butler/provider-harvester";
import { NutanixCluster, NutanixMachineTemplate } from "@butler/provider-nutanix";
import {
  builtinKinds,
  type Condition,
  findCondition,
  type Kind,
  kindId,
  type KubeObject,
  type Resource,
} from "@butler/resource";
import { clusterApiKinds } from "@butler/tenancy";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import { eventually, installLooseCrds, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { admissionServiceObject, webhookConfigurationKinds } from "./admission/manifests.ts";
import { controller } from "./controller.ts";
import { electedRole } from "./elected-role.ts";

const { CustomResourceDefinition, ClusterRole, Service } = builtinKinds;
const [namespace, name] = ["butler-system", "butler-controller"];
/** Kinds of other projects, which butler-controller watches when they are served. */
const removable = [
  ...clusterApiKinds,
  KubevirtCluster,
  KubevirtMachineTemplate,
  NutanixCluster,
  NutanixMachineTemplate,
];
const shop = { name: "shop", namespace: "payments" };
const times = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 100 };

let cluster: TestCluster;
const replicas: Replica[] = [];
const stopping = new AbortController();

/** A process of butler-controller: one of them leads, and each serves admission. */
interface Replica {
  readonly port: number;
  readonly isReady: () => boolean;
  readonly waitsFor: () => readonly string[];
  readonly isAttending: () => boolean;
  readonly serveAdmission: () => void;
  readonly metrics: MetricsRegistry;
  readonly ended: Promise<unknown>[];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function startReplica(): Promise<Replica> {
  const config = loadKubeConfig(cluster.controlPlane.kubeconfigPath);
  const metrics = new MetricsRegistry();
  const { client, close } = connect(config, { userAgent: name });
  const admissionPort = await freePort();
  const context = { client, config, logger: silentLogger, metrics, admissionPort };
  const role = controller([`--admission-service=${namespace}/${name}`], context);
  const elected = electedRole(role, { client, namespace, name, ...times });
  const ended = [elected.run(stopping.signal).finally(() => void close())];
  const serveAdmission = (): void => void ended.push(role.attend?.(stopping.signal) ?? Promise.resolve());
  const isAttending = (): boolean => role.isAttending?.() ?? false;
  return {
    port: admissionPort,
    // As in runRole: the probe of the pod, on which its place behind the Service depends.
    isReady: () => elected.isReady() && isAttending(),
    waitsFor: () => elected.waitsFor?.() ?? [],
    isAttending,
    serveAdmission,
    metrics,
    ended,
  };
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources: allResources, mine: true });
  await installLooseCrds(cluster.client, removable);
  for (const place of [namespace, "payments"]) await cluster.createNamespace(place);
  await cluster.client.create(Service, admissionServiceObject({ name, namespace }, {}));
  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name }, rules: [] };
  await cluster.client.create(ClusterRole, role);
  await make(ButlerConfig, { name: "butler" }, { multiTenancy: { mode: "Enforced" } });
  await make(ProviderConfig, { name: "local", namespace }, { provider: "local" });
  await make(Team, { name: "payments" }, { resourceLimits: { maxClusters: 100 } });
  await make(TenantCluster, shop, {
    kubernetesVersion: "v1.36.3",
    teamRef: { name: "payments" },
    providerConfigRef: { name: "local", namespace },
    workers: { replicas: 2 },
  });
  for (let count = 0; count < 2; count++) replicas.push(await startReplica());
}, 120_000);
afterAll(async () => {
  stopping.abort();
  await Promise.allSettled(replicas.flatMap(({ ended }) => ended));
  await cluster?.stop();
});

async function make(kind: Resource, metadata: { name: string; namespace?: string }, spec: object): Promise<void> {
  await cluster.client.create(kind, { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec } as KubeObject);
}

const capiClusters = async (): Promise<readonly string[]> =>
  (await cluster.client.list(Cluster)).items.map(({ metadata }) => metadata.uid ?? "");

const readyOf = async (): Promise<Condition | undefined> => {
  const { status } = await cluster.client.get(TenantCluster, shop);
  return findCondition(status?.conditions, "Ready");
};

async function removeKinds(kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) await cluster.client.delete(CustomResourceDefinition, { name: kindId(kind) });
  for (const kind of kinds) {
    const isGone = async () =>
      (await cluster.client.find(CustomResourceDefinition, { name: kindId(kind) })) === undefined;
    await eventually(isGone, { what: `the end of ${kindId(kind)}` });
  }
}

/** Waits until requests of the leader failed so often that every watch of the kind counts as failed. */
async function untilNoticed({ metrics }: Replica, kind: Kind): Promise<void> {
  const labels = { kind: kindId(kind), reason: "not_found" };
  await eventually(async () => (await metrics.value("butler_informer_watch_restarts_total", labels)) >= 6, {
    what: `failures of ${kindId(kind)}`,
  });
}

/** Calls a webhook the way the API server does: with the authority and name of the registered configuration. */
async function askAdmission({ port }: Replica, kind: Resource): Promise<{ allowed: boolean; ms: number }> {
  const { webhooks } = (await cluster.client.get(webhookConfigurationKinds.validating, { name })) as unknown as {
    webhooks: { name: string; clientConfig: { caBundle: string; service: { path: string } } }[];
  };
  const { clientConfig } = webhooks.find((each) => each.name === kindId(kind)) ?? expect.fail("no such webhook");
  // The API server sends objects with their defaults, as they are stored.
  const stored = kind === TenantCluster ? await cluster.client.get(TenantCluster, shop) : undefined;
  const object = stored ?? { ...(kind.example as object), apiVersion: kind.apiVersion, kind: kind.kind };
  const review = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "1",
      kind: { group: kind.group, version: kind.version, kind: kind.kind },
      resource: { group: kind.group, version: kind.version, resource: kind.plural },
      operation: stored === undefined ? "CREATE" : "UPDATE",
      userInfo: { username: "admin", groups: ["system:masters"] },
      name: "asked",
      namespace: "payments",
      object,
      oldObject: stored,
      dryRun: true,
    },
  };
  const startedAtMs = performance.now();
  const call = request({
    host: "127.0.0.1",
    port,
    path: clientConfig.service.path,
    method: "POST",
    servername: `${name}.${namespace}.svc`,
    ca: Buffer.from(clientConfig.caBundle, "base64"),
    headers: { "content-type": "application/json" },
  });
  call.end(JSON.stringify(review));
  const [answer] = (await once(call, "response")) as [NodeJS.ReadableStream];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(Buffer.from(chunk));
  const { response } = JSON.parse(Buffer.concat(chunks).toString()) as {
    response: { allowed: boolean; status?: { code: number; message: string } };
  };
  // A denial by a rule is an answer; an error is not.
  expect(response.status?.code ?? 200, response.status?.message).toBeLessThan(500);
  return { allowed: response.allowed, ms: performance.now() - startedAtMs };
}

/** Records whether any replica was ever not ready. */
function watchReadiness(): () => boolean {
  let wasAlwaysReady = true;
  const timer = setInterval(() => (wasAlwaysReady &&= replicas.every((replica) => replica.isReady())), 20);
  return () => {
    clearInterval(timer);
    return wasAlwaysReady;
  };
}

const judged = [NetworkPool, TenantCluster];
const leader = (): Replica => replicas[0] ?? expect.fail("no replica");

describe("butler-controller", { timeout: 90_000 }, () => {
  it("is ready with Cluster API installed, and both replicas serve admission", async () => {
    const [first = ""] = await eventually(async () => {
      const found = await capiClusters();
      return found.length === 1 && found;
    });
    expect(first).not.toBe("");
    for (const replica of replicas) replica.serveAdmission();
    await eventually(() => replicas.every((replica) => replica.isReady()));
    for (const replica of replicas) {
      for (const kind of judged) expect((await askAdmission(replica, kind)).allowed, kind.kind).toBe(true);
    }
  });

  it("stays ready, and admission responds, while optional CRDs are deleted and recreated", async () => {
    const [before] = await capiClusters();
    const endWatch = watchReadiness();
    await removeKinds(removable);
    for (const kind of [Cluster, KubevirtCluster, NutanixMachineTemplate]) await untilNoticed(leader(), kind);
    expect(replicas.map((replica) => replica.isReady())).toEqual([true, true]);
    for (const replica of replicas) {
      for (const kind of judged) {
        const { allowed, ms } = await askAdmission(replica, kind);
        expect(allowed, kind.kind).toBe(true);
        expect(ms).toBeLessThan(2_000);
      }
    }
    const waiting = await eventually(async () => {
      const ready = await readyOf();
      return ready?.message.includes("does not serve") && ready;
    });
    expect(waiting).toMatchObject({ status: "False", message: expect.stringContaining("cluster.x-k8s.io") });
    await installLooseCrds(cluster.client, removable);
    const [after] = await eventually(async () => {
      const found = await capiClusters();
      return found.length === 1 && found;
    });
    expect(after).not.toBe(before);
    expect(endWatch()).toBe(true);
  });

  it("is not ready while one of Butler's own kinds is missing, and names it", async () => {
    await removeKinds([NetworkPool]);
    await eventually(() => !leader().isReady());
    expect(leader().waitsFor()).toEqual([`${kindId(NetworkPool)} is not served: install its CustomResourceDefinition`]);
    // Every replica still serves admission: readiness alone removes one from the Service.
    for (const replica of replicas) await askAdmission(replica, Team);
    await installCrds(cluster.client, [NetworkPool]);
    await eventually(() => replicas.every((replica) => replica.isReady()));
  });
});
