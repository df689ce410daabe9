import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { TenantControlPlane } from "@butler/api";
import { covers } from "@butler/controller";
import { ensureTools } from "@butler/engine";
import { CacheSet, type ConnectedClient } from "@butler/kube";
import type { Kind, KubeObject } from "@butler/resource";
import { createLogger, MetricsRegistry } from "@butler/telemetry";
import { connectAs, eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Service } from "../exposure/kinds.ts";
import { planService } from "../exposure/service.ts";
import { aControlPlane } from "../exposure/testing/tenant-control-planes.ts";
import { sniGatewayManifests } from "./manifests.ts";
import { sniGatewayRole } from "./role.ts";
import type { RouteTable } from "./route-table.ts";
import { RouteWatch } from "./route-watch.ts";
import { aClaim, GatewayHarness } from "./testing/gateway-harness.ts";

const run = promisify(execFile);
const namespace = "butler-system";
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ mine: { name: "sni-gateway" }, resources: [TenantControlPlane] });
  await cluster.createNamespace(namespace);
  for (const object of manifests) await apply(object);
});
afterAll(() => cluster?.stop());

const manifests = sniGatewayManifests({
  namespace,
  image: "ghcr.io/butlerdotdev/butler:v0.1.0",
  loadBalancerClass: "example.com/lb",
  serviceMetadata: { annotations: { "example.com/address": "192.0.2.7" } },
  arguments: ["--max-connections=1000"],
});

function kindOf({ apiVersion, kind }: KubeObject): Kind {
  const isClusterWide = kind.startsWith("ClusterRole");
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, scope: isClusterWide ? "Cluster" : "Namespaced" };
}

function apply(object: KubeObject): Promise<KubeObject> {
  return cluster.client.apply(kindOf(object), object, { fieldManager: "test", fieldValidation: "Strict" });
}

/** Creates a control plane with its Service, as Steward would, and returns the Service's address. */
async function makeTenant(name: string, hostname: string): Promise<string> {
  const tcp = aControlPlane({ metadata: { name }, gateway: { hostname } });
  const { uid: _uid, creationTimestamp: _at, ...metadata } = tcp.metadata;
  await cluster.client.create(TenantControlPlane, { ...tcp, metadata });
  const service = (await apply(planService(tcp))) as Service;
  return service.spec.clusterIP ?? expect.fail("the Service has no address");
}

const removeTenant = (name: string): Promise<void> =>
  cluster.client.delete(TenantControlPlane, { name, namespace: "default" });

/** A client with just the rights that the manifests give to the gateway's account. */
const gatewayClient = (): Promise<ConnectedClient> =>
  connectAs(cluster, `system:serviceaccount:${namespace}:butler-sni-gateway`);

describe("the manifests of the gateway", () => {
  it("are accepted unchanged by a real API server, and a second apply is a no-op", async () => {
    for (const object of manifests) {
      const answer = await apply(object);
      expect(covers(answer, object), JSON.stringify([answer, object])).toBe(true);
      expect((await apply(object)).metadata.resourceVersion).toBe(answer.metadata.resourceVersion);
    }
    expect(manifests.map(({ kind }) => kind)).toEqual([
      "ServiceAccount",
      "ClusterRole",
      "ClusterRoleBinding",
      "Deployment",
      "Service",
      "PodDisruptionBudget",
    ]);
  });

  it("meet the restricted Pod Security Standard", async () => {
    await cluster.client.apply(
      { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" },
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "restricted", labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
      } satisfies KubeObject,
      { fieldManager: "test" },
    );
    const deployment = manifests.find(({ kind }) => kind === "Deployment") as unknown as {
      spec: { template: { spec: Record<string, unknown> } };
    };
    const account = {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "butler-sni-gateway", namespace: "restricted" },
    };
    await apply(account);
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "gateway", namespace: "restricted" },
      spec: deployment.spec.template.spec,
    };
    const created = await cluster.client.create(kindOf(pod), pod, { dryRun: true, fieldValidation: "Strict" });
    expect(created.metadata.name).toBe("gateway");
  });
});

describe("the routes", () => {
  it("follow control planes and Services with minimal permissions, and survive an unavailable API server", async () => {
    const { client, close } = await gatewayClient();
    const stopping = new AbortController();
    const lines: string[] = [];
    let table: RouteTable | undefined;
    const caches = new CacheSet(client, {
      informer: { backoff: { initialMs: 50, maximumMs: 200, factor: 2, jitter: 0 } },
    });
    const logger = createLogger({ write: (line) => void lines.push(line) });
    const watch = new RouteWatch(caches, { onTable: (next) => (table = next), logger });
    const upstreamOf = (host: string) => table?.routes.get(host)?.upstream?.host;
    try {
      const blueAddress = await makeTenant("blue", "blue.example.com");
      await watch.start(stopping.signal);
      expect(watch.isReady).toBe(true);
      expect(upstreamOf("blue.example.com")).toBe(blueAddress);

      // A second later, so that it is the younger one: the API server counts in seconds.
      await eventually(async () => {
        const { metadata } = await cluster.client.get(TenantControlPlane, { name: "blue", namespace: "default" });
        return Math.floor(Date.now() / 1_000) * 1_000 > Date.parse(metadata.creationTimestamp ?? "");
      });
      await makeTenant("red", "blue.example.com");
      await eventually(() => table?.refused.size === 1);
      expect(upstreamOf("blue.example.com")).toBe(blueAddress);
      expect(lines.join()).toContain("is already used by control plane default/blue");

      await cluster.client.patch(
        TenantControlPlane,
        { name: "red", namespace: "default" },
        {
          type: "merge",
          patch: { spec: { controlPlane: { gateway: { hostname: "red.example.com" } } } },
        },
      );
      await eventually(() => upstreamOf("red.example.com") !== undefined);
      expect(table?.refused.size).toBe(0);

      await cluster.client.delete(Service, { name: "red", namespace: "default" });
      await eventually(() => table?.routes.has("red.example.com") && upstreamOf("red.example.com") === undefined);

      await cluster.controlPlane.stopApiServer();
      await eventually(() => !caches.isHealthy);
      expect(watch.isReady).toBe(true);
      expect(upstreamOf("blue.example.com")).toBe(blueAddress);
      await cluster.controlPlane.startApiServer();
      await removeTenant("blue");
      await eventually(() => table?.routes.has("blue.example.com") === false);
      expect([...(table?.tenants.values() ?? [])].map(({ name }) => name)).toEqual(["red"]);
    } finally {
      stopping.abort();
      await caches.stopped();
      await close();
      await Promise.all([removeTenant("red"), removeTenant("blue")].map((removal) => removal.catch(() => undefined)));
    }
  });
});

describe("the gateway as a process", () => {
  it("listens once it has routes, serves, and stops on a signal", async () => {
    const { client, close } = await gatewayClient();
    const metrics = new MetricsRegistry();
    const stopping = new AbortController();
    const port = Promise.withResolvers<number>();
    const write = (line: string): void => {
      const fields = JSON.parse(line) as { msg: string; port?: number };
      if (fields.msg === "accepting connections") port.resolve(fields.port ?? 0);
    };
    const role = sniGatewayRole(["--port=0", "--drain-timeout=100ms"], {
      client,
      metrics,
      logger: createLogger({ write }),
    });
    expect(role.isReady()).toBe(false);
    const running = role.run(stopping.signal);
    try {
      await port.promise;
      expect(role.isReady()).toBe(true);
      await makeTenant("green", "green.example.com");
      await eventually(async () => (await metrics.value("butler_sni_gateway_routes", { state: "active" })) === 1);
    } finally {
      stopping.abort();
      await running;
      await close();
      await removeTenant("green");
    }
    expect(role.isReady()).toBe(false);
  });

  it.each([
    [["--port=99999"], "--port 99999 is not an integer from 0 to 65535"],
    [["--max-connections=-1"], "--max-connections -1 is not an integer from 0"],
    [["--hello-timeout=soon"], '"soon" is not a valid duration'],
    [["--unheard-of"], "invalid flag for sni-gateway"],
  ])("does not start with %s", (argv, message) => {
    const harness = {
      client: cluster.client,
      metrics: new MetricsRegistry(),
      logger: createLogger({ level: "silent" }),
    };
    expect(() => sniGatewayRole(argv, harness)).toThrow(message);
  });
});

describe("kubectl through the gateway", () => {
  it("reaches a real API server with its own client certificate, which is restarted under it", async () => {
    const harness = await GatewayHarness.start();
    try {
      const { hostname, port } = new URL(cluster.controlPlane.server);
      harness.route(aClaim("blue", { host: hostname, port: Number(port) }, "kubernetes.default.svc"));
      const { kubectl } = await ensureTools(["kubectl"]);
      const through = [
        `--kubeconfig=${cluster.controlPlane.kubeconfigPath}`,
        `--server=https://127.0.0.1:${harness.port}`,
        "--tls-server-name=kubernetes.default.svc",
      ];
      const ask = async (...args: string[]) => (await run(kubectl, [...through, ...args])).stdout;
      expect(await ask("get", "--raw", "/readyz")).toBe("ok");
      expect(await ask("auth", "whoami", "-o", "jsonpath={.status.userInfo.groups}")).toContain("system:masters");
      await cluster.controlPlane.stopApiServer();
      await expect(ask("get", "--raw", "/readyz")).rejects.toThrow();
      await cluster.controlPlane.startApiServer();
      expect(await ask("get", "--raw", "/readyz")).toBe("ok");
      expect(await harness.refusals("connect-failed")).toBeGreaterThan(0);
      await expect(
        run(kubectl, [...through, "--tls-server-name=unknown.example.com", "get", "--raw", "/readyz"]),
      ).rejects.toThrow(/unrecognized name/);
    } finally {
      await harness.close();
    }
  });
});
