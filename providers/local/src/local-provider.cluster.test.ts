import { ButlerConfig, LocalCluster, LocalMachine, LocalMachineTemplate } from "@butler/api";
import { Cluster, Pod } from "@butler/api-external";
import type { Interceptor } from "@butler/controller";
import { builtinKinds, findCondition, type Kind, type KubeObject } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import {
  connectAsController,
  crashAfterEverySideEffect,
  eventually,
  startAfterChange,
  aTestCluster,
  type TestCluster,
} from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { localProviderControllers, probeControlPlane } from "./index.ts";
import { installClusterApiCrds } from "./testing/cluster-api-crds.ts";
import { aContainer, runningPodStatus } from "./testing/objects.ts";
import { PlayedKubelet } from "./testing/played-kubelet.ts";
import { runProvider } from "./testing/run-provider.ts";
import { joinData, Tenant } from "./testing/tenant.ts";

let cluster: TestCluster;
let namespaces = 0;

beforeAll(async () => {
  const resources = [ButlerConfig, LocalCluster, LocalMachine, LocalMachineTemplate];
  // Machines must not need privileged pods.
  const components = { "kube-apiserver": { extraArgs: { "allow-privileged": "false" } } };
  cluster = await aTestCluster({ resources, mine: { components } });
  await installClusterApiCrds(cluster.client);
});
afterAll(() => cluster?.stop());

// Leftovers of one test would be reconciled in the next.
afterEach(() => removeAll());

async function removeAll(): Promise<void> {
  const { client } = cluster;
  for (const kind of [LocalMachine, LocalCluster]) {
    for (const { metadata } of (await client.list(kind)).items) {
      await client.patch(kind, metadata, { type: "merge", patch: { metadata: { finalizers: null } } });
      await client.delete(kind, metadata).catch(ignoreNotFound);
    }
  }
}

/** A separate namespace with helpers to observe it and to simulate the other parties. */
async function freshTenant() {
  const namespace = `tenant-${++namespaces}`;
  await cluster.createNamespace(namespace);
  const { client } = cluster;
  const at = (name: string) => ({ name, namespace });
  const machine = () => client.get(LocalMachine, at("blue-1"));
  const localCluster = () => client.get(LocalCluster, at("blue"));
  return {
    namespace,
    at,
    machine,
    localCluster,
    tenant: new Tenant(client, namespace),
    kubelet: new PlayedKubelet(cluster, namespace),
    pod: async () => (await client.find(Pod, at("blue-1"))) as unknown as Pod | undefined,
    /** Waits until the machine's Ready condition has a reason, and returns the machine. */
    machineWith: (reason: string) =>
      eventually(
        async () => {
          const found = await machine();
          return findCondition(found.status?.conditions, "Ready")?.reason === reason && found;
        },
        { timeoutMs: 10_000, what: `a machine with the reason ${reason}` },
      ),
    clusterWith: (reason: string) =>
      eventually(
        async () => {
          const found = await localCluster();
          return findCondition(found.status?.conditions, "Ready")?.reason === reason && found;
        },
        { timeoutMs: 10_000, what: `a cluster with the reason ${reason}` },
      ),
    patch: (kind: typeof Cluster | typeof LocalMachine, name: string, patch: unknown) =>
      client.patch(kind, at(name), { type: "merge", patch }),
    isGone: (kind: Kind, name: string) =>
      eventually(async () => (await client.find(kind, at(name))) === undefined, { what: `the end of ${name}` }),
  };
}

async function withProvider(options: Parameters<typeof runProvider>[1], run: () => Promise<void>): Promise<void> {
  const provider = await runProvider(cluster.client, options);
  try {
    await run();
  } finally {
    await provider.stop();
  }
}

describe("a machine on a real API server", () => {
  it("is created step by step, and deleted without leftovers", async () => {
    const { tenant, at, kubelet, pod, machine, machineWith, isGone } = await freshTenant();
    await withProvider({}, async () => {
      await tenant.createCluster();
      await tenant.createMachine();
      await tenant.createLocalMachine({ spec: { cpu: "500m", memory: "1Gi" } });
      expect((await machineWith("WaitingForBootstrapData")).status?.phase).toBe("Pending");

      await tenant.createSecret("blue-1", { value: joinData, format: "cloud-config" });
      const made = await eventually(pod);
      expect(made.spec.containers[0]?.image).toBe("ghcr.io/butlerdotdev/butler-node:v1.36.3");
      expect(made.spec.containers[0]?.resources?.limits).toEqual({ cpu: "500m", memory: "1Gi" });
      const secret = await cluster.client.get(builtinKinds.Secret, at("blue-1-local-bootstrap"));
      const script = (secret["data"] as Record<string, string>)["bootstrap.sh"] ?? "";
      expect(Buffer.from(script, "base64").toString()).toContain("kubeadm join --config");

      await eventually(async () => (await machine()).spec.providerID === "local:////blue-1");
      expect((await machine()).status?.initialization).toBeUndefined();
      await kubelet.bind("blue-1");
      await kubelet.report("blue-1", runningPodStatus());
      const bootstrapping = await machineWith("Bootstrapping");
      expect(bootstrapping.status).toMatchObject({
        initialization: { provisioned: true },
        phase: "Bootstrapping",
        nodeName: "node-1",
        podName: "blue-1",
        addresses: [
          { type: "InternalIP", address: "10.244.0.7" },
          { type: "Hostname", address: "blue-1" },
        ],
      });

      await kubelet.report("blue-1", runningPodStatus({ ready: true }));
      expect((await machineWith("Running")).status?.phase).toBe("Running");

      await cluster.client.delete(LocalMachine, at("blue-1"));
      await eventually(async () => (await pod())?.metadata.deletionTimestamp !== undefined);
      expect((await machine()).metadata.finalizers).toHaveLength(1);
      expect(await cluster.client.find(builtinKinds.Secret, at("blue-1-local-bootstrap"))).toBeDefined();
      await kubelet.bury("blue-1");
      await isGone(LocalMachine, "blue-1");
      await isGone(builtinKinds.Secret, "blue-1-local-bootstrap");
    });
  });

  it("71: is not created with an image that the platform does not list, until it lists it by digest", async () => {
    const { client } = cluster;
    const { tenant, pod, machineWith } = await freshTenant();
    const image = `registry.example.com/butler-node@sha256:${"a".repeat(64)}`;
    await withProvider({}, async () => {
      await tenant.createCluster();
      await tenant.createMachine();
      await tenant.createSecret("blue-1", { value: joinData, format: "cloud-config" });
      await tenant.createLocalMachine({ spec: { cpu: "500m", memory: "1Gi", image } });
      const refused = await machineWith("ImageNotAllowed");
      expect(refused.status?.failureMessage).toContain("is not in spec.localMachines.allowedImages");
      expect(await pod()).toBeUndefined();
      const { apiVersion, kind } = ButlerConfig;
      const spec = { localMachines: { allowedImages: [image] } };
      await client.create(ButlerConfig, { apiVersion, kind, metadata: { name: "butler" }, spec } as KubeObject);
      try {
        expect((await eventually(pod)).spec.containers[0]?.image).toBe(image);
        await machineWith("StartingPod");
      } finally {
        await client.delete(ButlerConfig, { name: "butler" });
      }
    });
  });

  it("reports why it cannot be created, and recovers if possible", async () => {
    const { tenant, kubelet, pod, machineWith } = await freshTenant();
    await withProvider({}, async () => {
      await tenant.createAll();
      await eventually(pod);
      const waiting = {
        reason: "ImagePullBackOff",
        message: 'Back-off pulling image "x": ErrImagePull: no such image',
      };
      await kubelet.report("blue-1", { containerStatuses: [aContainer({ state: { waiting } })] });
      expect((await machineWith("ErrImagePull")).status).toMatchObject({
        phase: "Creating",
        failureReason: "ErrImagePull",
        failureMessage: "no such image",
      });

      const terminated = { exitCode: 1, message: "[preflight] token abcdef.0123456789abcdef expired" };
      await kubelet.report("blue-1", runningPodStatus({ state: { terminated } }));
      const failed = await machineWith("BootstrapFailed");
      expect(failed.status?.failureMessage).toContain("[preflight] token [redacted] expired");
      expect(failed.status?.initialization?.provisioned).toBe(true);

      await kubelet.report("blue-1", runningPodStatus({ ready: true, restartCount: 1, lastState: { terminated } }));
      const running = await machineWith("Running");
      expect(running.status?.failureReason).toBeUndefined();
      const { items } = await cluster.client.list(builtinKinds.Event, { namespace: tenant.namespace });
      expect(new Set(items.map((event) => event["reason"]))).toEqual(new Set(["BootstrapFailed", "ErrImagePull"]));
      expect(items).toHaveLength(2);
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ["modules that a pod cannot do", { value: "#cloud-config\nntp: {}\n" }, "uses ntp"],
    ["another format", { value: "{}", format: "ignition" }, '"ignition" is not supported'],
  ])("rejects bootstrap data with %s", async (_what, data, message) => {
    const { tenant, pod, machineWith } = await freshTenant();
    await withProvider({}, async () => {
      await tenant.createAll(data);
      const refused = await machineWith("UnsupportedBootstrapData");
      expect(refused.status).toMatchObject({ phase: "Failed", failureReason: "UnsupportedBootstrapData" });
      expect(refused.status?.failureMessage).toContain(message);
      expect(await pod()).toBeUndefined();
    });
  });

  it("is not recreated silently when its pod is deleted manually", async () => {
    const { tenant, at, kubelet, pod, machineWith, isGone } = await freshTenant();
    await withProvider({}, async () => {
      await tenant.createAll();
      await eventually(pod);
      await cluster.client.delete(Pod, at("blue-1"));
      await eventually(pod, { what: "another pod, since the first was nothing yet" });

      await eventually(() => kubelet.report("blue-1", runningPodStatus({ ready: true })).then(() => true));
      await machineWith("Running");
      await cluster.client.delete(Pod, at("blue-1"));
      const lost = await machineWith("PodDeleted");
      expect(lost.status).toMatchObject({ phase: "Failed", initialization: { provisioned: true } });
      expect(await pod()).toBeUndefined();
      await cluster.client.delete(LocalMachine, at("blue-1"));
      await isGone(LocalMachine, "blue-1");
    });
  });

  it("is not reconciled while its cluster or it itself is paused", async () => {
    const { tenant, at, kubelet, pod, machine, patch, isGone } = await freshTenant();
    const isPaused = async (status: "True" | "False") =>
      eventually(async () => findCondition((await machine()).status?.conditions, "Paused")?.status === status);
    await withProvider({}, async () => {
      await tenant.createCluster({ paused: true });
      await tenant.createMachine();
      await tenant.createSecret("blue-1", { value: joinData });
      await tenant.createLocalMachine();
      await isPaused("True");
      expect((await machine()).metadata.finalizers).toBeUndefined();
      expect(await pod()).toBeUndefined();
      await patch(Cluster, "blue", { spec: { paused: false } });
      await isPaused("False");
      await eventually(pod);
      await kubelet.report("blue-1", runningPodStatus({ ready: true }));

      await patch(LocalMachine, "blue-1", { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } });
      await isPaused("True");
      await cluster.client.delete(LocalMachine, at("blue-1"));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await pod()).toBeDefined();
      await patch(LocalMachine, "blue-1", { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } });
      await isGone(LocalMachine, "blue-1");
      expect(await pod()).toBeUndefined();
    });
  });

  it("neither adopts nor deletes a pod that it does not own", async () => {
    const { tenant, at, namespace, machineWith, pod, isGone } = await freshTenant();
    const labels = { "cluster.x-k8s.io/cluster-name": "blue" };
    const metadata = { name: "blue-1", namespace, labels };
    const foreign = { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [{ name: "x", image: "x" }] } };
    await cluster.client.create(Pod, foreign);
    await withProvider({}, async () => {
      await tenant.createAll();
      await machineWith("PodNameTaken");
      await cluster.client.delete(LocalMachine, at("blue-1"));
      await isGone(LocalMachine, "blue-1");
      expect((await pod())?.spec.containers[0]?.name).toBe("x");
    });
  });
});

describe("a cluster on a real API server", () => {
  it("is provisioned once its control plane responds, and deleted after its machines", async () => {
    const { tenant, at, localCluster, clusterWith, machine, patch, isGone } = await freshTenant();
    let isReady = false;
    const answer = () => (isReady ? ({ isReady } as const) : ({ isReady: false, message: "refused" } as const));
    await withProvider({ answer }, async () => {
      await tenant.createCluster({});
      await tenant.createSecret("blue-kubeconfig", { value: "" });
      await tenant.createLocalCluster();
      await clusterWith("WaitingForEndpoint");
      await patch(Cluster, "blue", { spec: { controlPlaneEndpoint: { host: "10.0.0.1", port: 6443 } } });
      await clusterWith("WaitingForControlPlane");
      expect((await localCluster()).status?.initialization).toBeUndefined();
      isReady = true;
      expect((await clusterWith("Provisioned")).status?.initialization).toEqual({ provisioned: true });

      await tenant.createMachine();
      await tenant.createLocalMachine();
      // Only a machine that the provider knows holds up the deletion.
      await eventually(async () => ((await machine()).metadata.finalizers ?? []).length > 0, {
        what: "a known machine",
      });
      await cluster.client.delete(LocalCluster, at("blue"));
      await clusterWith("Deleting");
      await cluster.client.delete(LocalMachine, at("blue-1"));
      await isGone(LocalCluster, "blue");
    });
  });

  it("is not reconciled when it is managed externally", async () => {
    const { tenant, localCluster, namespace } = await freshTenant();
    await tenant.createCluster();
    const metadata = { name: "other", namespace, annotations: { "cluster.x-k8s.io/managed-by": "somebody" } };
    await cluster.client.create(LocalCluster, { ...LocalCluster.example, metadata } as unknown as KubeObject);
    await withProvider({}, async () => {
      await tenant.createLocalCluster();
      await eventually(async () => (await localCluster()).status?.initialization?.provisioned === true);
      const other = await cluster.client.get(LocalCluster, { name: "other", namespace });
      expect(other.status).toBeUndefined();
      expect(other.metadata.finalizers).toBeUndefined();
    });
  });

  it("recognizes a ready control plane", async () => {
    const { hostname, port } = new URL(cluster.controlPlane.server);
    const endpoint = { host: hostname, port: Number(port) };
    expect(await probeControlPlane(endpoint, new AbortController().signal)).toEqual({ isReady: true });
  });
});

describe("the provider's permissions", () => {
  it("are sufficient for the life of a cluster with a machine, and for nothing else", async () => {
    const { tenant, at, namespace, kubelet, isGone, machineWith } = await freshTenant();
    const limited = await connectAsController(cluster, "local-provider", localProviderControllers);
    const provider = await runProvider(limited.client);
    const playing = new AbortController();
    const played = kubelet.play(playing.signal);
    try {
      await tenant.createAll();
      await tenant.createLocalCluster();
      await machineWith("Running");
      await cluster.client.delete(LocalCluster, at("blue"));
      await cluster.client.delete(LocalMachine, at("blue-1"));
      await isGone(LocalCluster, "blue");
      await isGone(builtinKinds.Secret, "blue-1-local-bootstrap");
      const key = { name: "blue", namespace };
      await expect(limited.client.delete(Cluster, key)).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(limited.client.list(builtinKinds.ConfigMap)).rejects.toMatchObject({ code: "FORBIDDEN" });
    } finally {
      playing.abort();
      await played;
      await provider.stop();
      await limited.close();
    }
  });
});

/** The objects left in a namespace, without what differs from run to run. */
async function lookAround(namespace: string): Promise<unknown> {
  const { client } = cluster;
  const [machines, clusters, pods, secrets] = await Promise.all([
    client.list(LocalMachine, { namespace }),
    client.list(LocalCluster, { namespace }),
    client.list(Pod, { namespace }),
    client.list(builtinKinds.Secret, { namespace }),
  ]);
  return {
    own: [...machines.items, ...clusters.items].map(({ spec, status, metadata: { name, finalizers } }) => ({
      name,
      finalizers,
      spec,
      status: { ...status, conditions: status?.conditions?.map(({ lastTransitionTime: _time, ...rest }) => rest) },
    })),
    pods: pods.items.map(({ metadata: { name, ownerReferences } }) => ({ name, owner: ownerReferences?.[0]?.kind })),
    secrets: secrets.items.map(({ metadata: { name }, ...rest }) => ({ name, data: rest["data"] })),
  };
}

interface Scenario {
  readonly only: "local-cluster" | "local-machine";
  readonly prepare: (tenant: Tenant) => Promise<void>;
  /** Done once the prepared state has settled; none where the creation itself is the scenario. */
  readonly change?: (namespace: string) => Promise<void>;
}

/** Separate scenarios for the crash harness, each with a simulated kubelet. */
function crashScenariosOf({ only, prepare, change }: Scenario) {
  const [kind, name] =
    only === "local-machine" ? ([LocalMachine, "blue-1"] as const) : ([LocalCluster, "blue"] as const);
  return async () => {
    const { tenant, namespace, kubelet } = await freshTenant();
    const playing = new AbortController();
    const played = kubelet.play(playing.signal);
    await prepare(tenant);
    const start = async (intercept?: Interceptor) => {
      const provider = await runProvider(cluster.client, { only, ...(intercept === undefined ? {} : { intercept }) });
      const runtime = provider.runtimes[only];
      const isSettled = async (): Promise<boolean> => {
        const live = await cluster.client.find(kind, { name, namespace });
        if (live === undefined) return runtime?.isIdle === true;
        const isReady = findCondition(live.status?.conditions, "Ready")?.status === "True";
        const preview = await runtime?.preview({ name, namespace });
        const isGoing = live.metadata.deletionTimestamp !== undefined;
        return runtime?.isIdle === true && preview?.isSettled === true && isReady && !isGoing;
      };
      return { isSettled, stop: provider.kill };
    };
    return {
      start: startAfterChange(start, change && (() => change(namespace))),
      snapshot: () => lookAround(namespace),
      tearDown: async () => {
        playing.abort();
        await played;
        await removeAll();
      },
    };
  };
}

describe("the provider crashing after each of its side effects", () => {
  // How often a status is written depends on timing; the order of first occurrences does not.
  const outline = ({ sideEffects }: Awaited<ReturnType<typeof crashAfterEverySideEffect>>) => [
    ...new Set(sideEffects.map(({ verb, target }) => `${verb} ${target.replace(/ .*/, "")}`)),
  ];
  const machines = "localmachines.infrastructure.cluster.x-k8s.io";
  const clusters = "localclusters.infrastructure.cluster.x-k8s.io";

  it("still creates a machine", async () => {
    const report = await crashAfterEverySideEffect(
      crashScenariosOf({ only: "local-machine", prepare: (tenant) => tenant.createAll() }),
    );
    expect(outline(report)).toEqual([
      `finalizer ${machines}`,
      "apply secrets",
      "apply pods",
      "perform setProviderID",
      `status ${machines}`,
    ]);
    expect(report.endState).toMatchObject({
      own: [{ spec: { providerID: "local:////blue-1" }, status: { phase: "Running" } }],
      pods: [{ owner: "LocalMachine" }],
    });
  });

  it("still deletes a machine", async () => {
    const change = (namespace: string) => cluster.client.delete(LocalMachine, { name: "blue-1", namespace });
    const report = await crashAfterEverySideEffect(
      crashScenariosOf({ only: "local-machine", prepare: (tenant) => tenant.createAll(), change }),
    );
    expect(outline(report)).toEqual(["remove pods", `status ${machines}`, "remove secrets", `finalizer ${machines}`]);
    expect(report.endState).toMatchObject({ own: [], pods: [], secrets: [{ name: "blue-1" }] });
  });

  it("still provisions and deletes a cluster", async () => {
    const prepare = async (tenant: Tenant): Promise<void> => {
      await tenant.createCluster();
      await tenant.createLocalCluster();
    };
    const up = await crashAfterEverySideEffect(crashScenariosOf({ only: "local-cluster", prepare }));
    expect(outline(up)).toEqual([`finalizer ${clusters}`, `status ${clusters}`]);
    expect(up.endState).toMatchObject({ own: [{ status: { initialization: { provisioned: true } } }] });
    const change = (namespace: string) => cluster.client.delete(LocalCluster, { name: "blue", namespace });
    const down = await crashAfterEverySideEffect(crashScenariosOf({ only: "local-cluster", prepare, change }));
    expect(outline(down)).toEqual([`finalizer ${clusters}`]);
    expect(down.endState).toMatchObject({ own: [] });
  });
});
