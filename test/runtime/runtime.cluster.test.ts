import { ControllerRuntime, defineController, renderPreview } from "@butler/controller";
import { ApiClient, CacheSet } from "@butler/kube";
import { builtinKinds, findCondition, type KubeObject } from "@butler/resource";
import { createLogger, MetricsRegistry } from "@butler/telemetry";
import { connectAsController, eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { greetingController } from "./demo/controller.ts";
import { Directory } from "./demo/directory.ts";
import { Greeting } from "./demo/greeting.ts";
import { plan } from "./demo/plan.ts";
import { aGreeting, runDemo } from "./run-demo.ts";

let cluster: TestCluster;
let namespaces = 0;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [Greeting] });
});
afterAll(() => cluster?.stop());

async function freshNamespace(): Promise<string> {
  const namespace = `runtime-${++namespaces}`;
  await cluster.createNamespace(namespace);
  return namespace;
}

const helloIn = (namespace: string) => ({ name: "hello", namespace });

async function readyReason(namespace: string): Promise<string | undefined> {
  const greeting = await cluster.client.get(Greeting, helloIn(namespace));
  return findCondition(greeting.status?.conditions, "Ready")?.reason;
}

/** A controller whose children have one list that Kubernetes replaces whole and one that it merges. */
function sharingController() {
  const roleBindings = {
    group: "rbac.authorization.k8s.io",
    version: "v1",
    kind: "RoleBinding",
    plural: "rolebindings",
    scope: "Namespaced",
  } as const;
  const deployments = {
    group: "apps",
    version: "v1",
    kind: "Deployment",
    plural: "deployments",
    scope: "Namespaced",
  } as const;
  const labels = { app: "hello" };
  const children = (namespace: string | undefined): KubeObject[] => [
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "hello", namespace },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ada" }],
    } as KubeObject,
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "hello", namespace },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "hello" }] } },
      },
    } as KubeObject,
  ];
  const controller = defineController<typeof Greeting, Greeting>({
    name: "sharing",
    primary: Greeting,
    owns: [{ kind: roleBindings }, { kind: deployments }],
    observe: ({ primary }) => primary,
    plan: ({ metadata }) => ({ finalizer: "none", apply: children(metadata.namespace) }),
    perform: {},
  });
  return { controller, roleBindings, deployments };
}

describe("the controller runtime on a real API server", () => {
  it("makes no writes in a steady state", async () => {
    const namespace = await freshNamespace();
    const metrics = new MetricsRegistry();
    const demo = await runDemo(cluster, { directory: new Directory(), metrics });
    await cluster.client.create(Greeting, aGreeting(namespace));
    await eventually(async () => (await readyReason(namespace)) === "Published");
    await eventually(() => demo.runtime.isIdle);
    const before = await metrics.value("butler_reconcile_side_effects_total");
    expect(before).toBeGreaterThan(0);
    // A change without effect that triggers another pass.
    const annotate = { metadata: { annotations: { note: "look again" } } };
    const passes = await metrics.value("butler_reconcile_duration_seconds");
    await cluster.client.patch(Greeting, helloIn(namespace), { type: "merge", patch: annotate });
    await eventually(async () => (await metrics.value("butler_reconcile_duration_seconds")) > passes);
    await eventually(() => demo.runtime.isIdle);
    expect(await metrics.value("butler_reconcile_side_effects_total")).toBe(before);
    await demo.stop();
  });

  it("reverts changes and deletions by others", async () => {
    const namespace = await freshNamespace();
    const demo = await runDemo(cluster, { directory: new Directory() });
    await cluster.client.create(Greeting, aGreeting(namespace));
    const text = { name: "hello-text", namespace };
    const textOf = async () => (await cluster.client.get(builtinKinds.ConfigMap, text))["data"];
    await eventually(async () => ((await textOf()) as { text: string }).text === "Hello");
    await cluster.client.patch(builtinKinds.ConfigMap, text, { type: "merge", patch: { data: { text: "Hijacked" } } });
    await eventually(async () => ((await textOf()) as { text: string }).text === "Hello");
    await cluster.client.delete(builtinKinds.ConfigMap, text);
    await eventually(async () => ((await textOf()) as { text: string }).text === "Hello");
    await demo.stop();
  });

  it("reverts additions to its own lists, and keeps entries that Kubernetes merges", async () => {
    const namespace = await freshNamespace();
    const metrics = new MetricsRegistry();
    const { controller, roleBindings, deployments } = sharingController();
    const stopping = new AbortController();
    const caches = new CacheSet(cluster.client);
    const runtime = new ControllerRuntime(controller, { client: cluster.client, caches, ports: {}, metrics });
    await caches.start(stopping.signal);
    const running = runtime.run(stopping.signal);
    await cluster.client.create(Greeting, aGreeting(namespace));
    const binding = { name: "hello", namespace };
    await eventually(() => cluster.client.find(deployments, binding));
    const eve = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "eve" }];
    const { subjects } = await cluster.client.get(roleBindings, binding);
    const intruded = { subjects: [...(subjects as unknown[]), ...eve] };
    await cluster.client.patch(roleBindings, binding, { type: "merge", patch: intruded });
    await eventually(
      async () => ((await cluster.client.get(roleBindings, binding))["subjects"] as unknown[]).length === 1,
    );

    const sidecar = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: binding,
      spec: { template: { spec: { containers: [{ name: "sidecar", image: "proxy" }] } } },
    };
    const applied = () => metrics.value("butler_reconcile_side_effects_total", { verb: "apply" });
    await eventually(() => runtime.isIdle);
    const before = await applied();
    await cluster.client.apply(deployments, sidecar, { fieldManager: "mesh" });
    // The one apply that removes nothing, and is remembered as such.
    await eventually(async () => (await applied()) === before + 1);
    await eventually(() => runtime.isIdle);
    const writes = await applied();
    const passes = await metrics.value("butler_reconcile_duration_seconds");
    await cluster.client.patch(Greeting, helloIn(namespace), {
      type: "merge",
      patch: { metadata: { labels: { a: "b" } } },
    });
    await eventually(async () => (await metrics.value("butler_reconcile_duration_seconds")) > passes);
    await eventually(() => runtime.isIdle);
    expect(await applied()).toBe(writes);
    const { spec } = (await cluster.client.get(deployments, binding)) as unknown as {
      spec: { template: { spec: { containers: unknown[] } } };
    };
    expect(spec.template.spec.containers).toHaveLength(2);
    stopping.abort();
    await running;
  });

  it("reports a failure in the status, retries, and recovers", async () => {
    const namespace = await freshNamespace();
    const directory = new Directory();
    directory.entries.set(`${namespace}.hello`, { owner: "another-owner", text: undefined });
    const demo = await runDemo(cluster, { directory });
    directory.publish = () =>
      Promise.reject(new Error("the directory is closed, password=hunter2, Bearer abcdefghijklmnop"));
    await cluster.client.create(Greeting, aGreeting(namespace));
    await eventually(async () => (await readyReason(namespace)) === "EffectFailed");
    const failed = await cluster.client.get(Greeting, helloIn(namespace));
    const ready = findCondition(failed.status?.conditions, "Ready");
    expect(ready?.message).toContain("the directory is closed");
    expect(ready?.message).not.toMatch(/abcdefghijklmnop|hunter2/);
    expect(failed.status?.observedGeneration).toBeUndefined();
    const events = await eventually(async () => {
      const { items } = await cluster.client.list(builtinKinds.Event, { namespace });
      return items.length > 0 && items;
    });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: "Warning", reason: "EffectFailed" });
    directory.publish = Directory.prototype.publish.bind(directory);
    await eventually(async () => (await readyReason(namespace)) === "Published");
    expect((await cluster.client.get(Greeting, helloIn(namespace))).status?.observedGeneration).toBe(1);
    await demo.stop();
  });

  it("survives a plan that throws: marks the object, and continues with others", async () => {
    const namespace = await freshNamespace();
    const broken = defineController({
      ...greetingController,
      plan: (observed: Parameters<typeof plan>[0]) => {
        if (observed.greeting.metadata.name === "poison") throw new TypeError("cannot read properties of undefined");
        return plan(observed);
      },
    });
    const stopping = new AbortController();
    const caches = new CacheSet(cluster.client);
    const directory = new Directory();
    const runtime = new ControllerRuntime(broken, { client: cluster.client, caches, ports: { directory } });
    await caches.start(stopping.signal);
    const running = runtime.run(stopping.signal);
    const poison = aGreeting(namespace);
    poison.metadata.name = "poison";
    await cluster.client.create(Greeting, poison);
    await cluster.client.create(Greeting, aGreeting(namespace));
    await eventually(async () => (await readyReason(namespace)) === "Published");
    const marked = await eventually(async () => {
      const { status } = await cluster.client.get(Greeting, { name: "poison", namespace });
      return findCondition(status?.conditions, "Ready");
    });
    expect(marked).toMatchObject({
      status: "False",
      reason: "PlanFailed",
      message: expect.stringContaining("undefined"),
    });
    expect(runtime.delayed).toBeGreaterThan(0);
    stopping.abort();
    await running;
  });

  it("removes the series of an object together with the object", async () => {
    const namespace = await freshNamespace();
    const metrics = new MetricsRegistry();
    const demo = await runDemo(cluster, { directory: new Directory(), metrics });
    await cluster.client.create(Greeting, aGreeting(namespace));
    const series = `butler_object_ready{kind="greetings.demo.butlerlabs.dev",namespace="${namespace}",name="hello"} 1`;
    await eventually(async () => (await metrics.text()).includes(series));
    await cluster.client.delete(Greeting, helloIn(namespace));
    await eventually(async () => !(await metrics.text()).includes(`namespace="${namespace}"`));
    await demo.stop();
  });

  it("logs one line for each pass that did something, without secrets", async () => {
    const namespace = await freshNamespace();
    const lines: string[] = [];
    const logger = createLogger({ level: "info", write: (line) => lines.push(line) });
    const demo = await runDemo(cluster, { directory: new Directory(), logger });
    await cluster.client.create(Greeting, aGreeting(namespace));
    await eventually(async () => (await readyReason(namespace)) === "Published");
    await eventually(() => demo.runtime.isIdle);
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const mine = entries.filter(({ object }) => object === `${namespace}/hello`);
    expect(mine.length).toBeGreaterThanOrEqual(1);
    expect(mine[0]).toMatchObject({ level: "info", controller: "greeting", outcome: "changed" });
    await demo.stop();
  });

  it("supports a dry run", async () => {
    const namespace = await freshNamespace();
    await cluster.client.create(Greeting, aGreeting(namespace));
    const stopping = new AbortController();
    const caches = new CacheSet(cluster.client);
    const ports = { directory: new Directory() };
    const runtime = new ControllerRuntime(greetingController, { client: cluster.client, caches, ports });
    await caches.start(stopping.signal);
    const preview = await runtime.preview(helloIn(namespace));
    expect(preview?.apply.map(({ action, target }) => `${action} ${target}`)).toEqual([
      `create configmaps ${namespace}/hello-text`,
      `create secrets ${namespace}/hello-access`,
    ]);
    expect(preview?.apply[1]?.object).toMatchObject({ stringData: { user: "[redacted]" } });
    expect(renderPreview(preview ?? expect.fail("no preview"))).toContain(`create  secrets ${namespace}/hello-access`);
    expect(await cluster.client.find(builtinKinds.ConfigMap, { name: "hello-text", namespace })).toBeUndefined();
    stopping.abort();
  });

  it("needs exactly the permissions generated from its declaration", async () => {
    const namespace = await freshNamespace();
    const limited = await connectAsController(cluster, "greeting-controller", [greetingController]);
    const demo = await runDemo({ ...cluster, client: limited.client }, { directory: new Directory() });
    await cluster.client.create(Greeting, aGreeting(namespace));
    await eventually(async () => (await readyReason(namespace)) === "Published");
    await cluster.client.delete(Greeting, helloIn(namespace));
    await eventually(async () => (await cluster.client.find(Greeting, helloIn(namespace))) === undefined);
    await expect(limited.client.list(builtinKinds.Namespace)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(limited.client).toBeInstanceOf(ApiClient);
    await demo.stop();
    await limited.close();
  });
});
