import { allResources, ButlerConfig, ProviderConfig, Team, TenantCluster, User } from "@butler/api";
import { Cluster, KubeadmConfigTemplate, Machine, MachineDeployment, MachineSet } from "@butler/api-external";
import { ensureTools, Kubectl } from "@butler/engine";
import { type ApiClient, connect, KubeConfig } from "@butler/kube";
import { apiVersionOf, builtinKinds, type DynamicObject, type Kind, type KubeObject } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import { aTestCluster, eventually, installLooseCrds, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { controller } from "../../controller.ts";
import { platformManifests, platformNamespace as namespace } from "../platform.ts";

const { ClusterRole, Pod, RoleBinding, Secret, ServiceAccount, StatefulSet } = builtinKinds;

let cluster: TestCluster;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  cluster = await aTestCluster({ resources: allResources, withControllerManager: true });
  await installLooseCrds(cluster.client, [Cluster, MachineDeployment, MachineSet, Machine, KubeadmConfigTemplate]);
  const { kubectl: program } = await ensureTools(["kubectl"]);
  const kubectl = new Kubectl({ program, kubeconfig: cluster.controlPlane.kubeconfigPath });
  const manifests = platformManifests({ image: "registry.example/butler:1", replicas: 0, hasLocalProvider: true });
  await kubectl.apply(manifests.filter((object) => !isGuard(object)));
  // Policies take effect shortly after they are created.
  const { client } = await as("server");
  const forbidden = { namespace, name: "butler-controller-webhook" };
  await eventually(() => {
    const attempt = client.create(Secret, { apiVersion: "v1", kind: "Secret", metadata: forbidden }, { dryRun: true });
    return attempt.then(
      () => false,
      (error: unknown) => error instanceof Forbidden,
    );
  });
}, 60_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await cluster?.stop();
});

/** The policies that reject everything until the webhooks are registered, which run in no process here. */
function isGuard({ kind, metadata }: KubeObject): boolean {
  return kind.startsWith("ValidatingAdmissionPolicy") && /^butler-(controller|steward)$/.test(metadata.name ?? "");
}

/** The cluster as seen by the process of a component. */
async function as(component: string): Promise<{ readonly client: ApiClient; readonly config: KubeConfig }> {
  const metadata = { namespace, name: `butler-${component}` };
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata, spec: {} };
  const made = await cluster.client.create(ServiceAccount, request, { subresource: "token" });
  const { token = "" } = (made["status"] ?? {}) as { token?: string };
  const config = new KubeConfig();
  config.loadFromFile(cluster.controlPlane.kubeconfigPath);
  const { name = "" } = config.getCurrentCluster() ?? {};
  const own = new KubeConfig();
  const current = { name: component, cluster: name, user: component };
  own.loadFromOptions({
    clusters: config.clusters,
    users: [{ name: component, token }],
    contexts: [current],
    currentContext: component,
  });
  const { client, close } = connect(own);
  ends.push(close);
  return { client, config: own };
}

function create(client: ApiClient, kind: Kind, metadata: DynamicObject["metadata"], fields: object) {
  return client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...fields });
}

describe("the components under their policies", () => {
  it("let the controller create everything of a team and of its cluster", async () => {
    const over = new AbortController();
    const context = { ...(await as("controller")), logger: silentLogger, metrics: new MetricsRegistry() };
    const running = controller([], context).run(over.signal);
    ends.push(async () => {
      over.abort();
      await running;
    });
    const { client } = cluster;
    await create(client, ButlerConfig, { name: "butler" }, { spec: { multiTenancy: { mode: "Enforced" } } });
    await create(client, ProviderConfig, { namespace, name: "local" }, { spec: { provider: "local" } });
    await create(client, User, { name: "ada" }, { spec: { email: "ada@example.com", authType: "sso" } });
    const access = { users: [{ name: "ada@example.com", role: "admin" }], groups: [{ name: "ops", role: "viewer" }] };
    await create(client, Team, { name: "payments" }, { spec: { access } });
    await eventually(async () => JSON.stringify(await client.find(ClusterRole, people)).includes("ada@example.com"));
    await eventually(async () => (await client.get(Team, { name: "payments" })).status?.phase === "Ready");
    const spec = {
      kubernetesVersion: "v1.34.1",
      teamRef: { name: "payments" },
      providerConfigRef: { name: "local", namespace },
      workers: { replicas: 1 },
    };
    await create(client, TenantCluster, { namespace: "payments", name: "shop" }, { spec });
    const inside = await eventually(
      async () => (await client.get(TenantCluster, { namespace: "payments", name: "shop" })).status?.tenantNamespace,
    );
    for (const name of ["butler-team-admin", "butler-platform-admin", "butler-server"])
      await eventually(async () => (await client.find(RoleBinding, { namespace: inside, name })) !== undefined);
  }, 60_000);

  it("let Steward run an etcd, and nothing that has access to its node", async () => {
    const { client } = await as("steward");
    const run = (further: object, container: object = {}) => {
      const containers = [{ name: "etcd", image: "registry.example/etcd:1", ...container }];
      const labels = { app: "etcd" };
      const template = {
        metadata: { labels },
        spec: { automountServiceAccountToken: false, containers, ...further },
      };
      const spec = { serviceName: "etcd", selector: { matchLabels: labels }, template };
      const name = "default-etcd";
      const object = { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name, namespace }, spec };
      return client.apply(StatefulSet, object, { fieldManager: "test", dryRun: true });
    };
    await expect(run({})).resolves.toBeDefined();
    await expect(run({ hostNetwork: true })).rejects.toBeInstanceOf(Forbidden);
    await expect(run({ automountServiceAccountToken: true })).rejects.toBeInstanceOf(Forbidden);
    await expect(run({}, { securityContext: { capabilities: { add: ["SYS_ADMIN"] } } })).rejects.toBeInstanceOf(
      Forbidden,
    );
  });

  it("let the server write its own Secrets, also those with generated names, and no others", async () => {
    const { client } = await as("server");
    const write = (metadata: object) =>
      client.create(
        Secret,
        { apiVersion: "v1", kind: "Secret", metadata: { namespace, ...metadata } } as DynamicObject,
        {
          dryRun: true,
        },
      );
    await expect(write({ name: "butler-session-1" })).resolves.toBeDefined();
    await expect(write({ name: "butler-controller-webhook" })).rejects.toBeInstanceOf(Forbidden);
    await expect(write({ generateName: "other-" })).rejects.toBeInstanceOf(Forbidden);
    await expect(create(client, Pod, { namespace: "butler-terminals", name: "t" }, {})).rejects.toThrow();
  });
});

const people = { name: "butler-server-people" };
